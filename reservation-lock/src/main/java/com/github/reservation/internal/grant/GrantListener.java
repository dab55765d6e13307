// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossListener;
import com.github.reservation.LostReservation;

/** A listener of one grant. It is called with the context class loader of the thread that made this. */
final class GrantListener {

    /** The call that is due when the grant is lost. */
    record Call(GrantListener listener, LostReservation lost) {

        void make() {
            listener.call(lost);
        }

        @Override
        public String toString() {
            return lost.toString();
        }
    }

    private final LossListener listener;
    private final ClassLoader context = Thread.currentThread().getContextClassLoader();
    private volatile boolean closed;

    GrantListener(LossListener listener) {
        this.listener = listener;
    }

    private void call(LostReservation lost) {
        if (!closed) {
            Thread.currentThread().setContextClassLoader(context);
            listener.onLost(lost);
        }
    }

    void close() {
        closed = true;
    }
}
