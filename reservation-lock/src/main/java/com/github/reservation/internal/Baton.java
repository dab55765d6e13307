// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How a waiting thread is passed the key by one that unlocks, which asks the store in the name of both.
 *
 * <p>While the waiter is parked its hand is open. Another thread can reach for it, once; from then on the waiter neither asks
 * nor parks for anything else than what comes of that, but it may leave at any time: then the other has to clear up. Whoever
 * changes the state first wins, so nothing that was granted is ever without somebody who knows of it.
 */
final class Baton {

    /** What there is to it. */
    sealed interface State {}

    private enum Mere implements State {
        /** The waiter does something itself. */
        BUSY,
        /** Another thread asks the store. */
        COMING,
        /** The waiter has given up. */
        GONE
    }

    /** The waiter is parked, and would take the key. */
    private record Open(AcquireRequest request) implements State {}

    /** What the other thread brought. */
    sealed interface Passed extends State {

        /** Returns when the store was asked for the key. */
        Reading sent();

        record Key(Granted granted, Reading sent) implements Passed {}

        /** Nobody knows whether the store has granted the key. */
        record Doubt(Reading sent) implements Passed {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(Mere.BUSY);

    /** The waiter parks from now on, and takes the key if somebody has it. */
    void open(AcquireRequest request) {
        state.compareAndSet(Mere.BUSY, new Open(request));
    }

    /** The waiter does something itself; false if another thread asks the store for it, or has done so. */
    boolean close() {
        State current = state.get();
        return current == Mere.BUSY || (current instanceof Open && state.compareAndSet(current, Mere.BUSY));
    }

    /** The waiter takes what was brought, if anything was. */
    @Nullable Passed take() {
        if (state.get() instanceof Passed passed) {
            state.set(Mere.BUSY);
            return passed;
        }
        return null;
    }

    /** The waiter gives up; returns what was brought at the last moment, which is the waiter's to clear up. */
    @Nullable Passed leave() {
        return state.getAndSet(Mere.GONE) instanceof Passed passed ? passed : null;
    }

    /** Another thread reaches for the waiter's hand; returns what to ask for, or null if it is not open. */
    @Nullable AcquireRequest reach() {
        return state.get() instanceof Open open && state.compareAndSet(open, Mere.COMING) ? open.request : null;
    }

    /** Brings what came of it; false if the waiter has gone meanwhile. */
    boolean bring(Passed passed) {
        return state.compareAndSet(Mere.COMING, passed);
    }

    /** Brings nothing: the waiter is on its own again. */
    void bringNothing() {
        state.compareAndSet(Mere.COMING, Mere.BUSY);
    }
}
