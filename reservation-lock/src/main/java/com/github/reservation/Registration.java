// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Keeps a listener registered until it is closed, see {@link ReservationManager#onLost}. Whoever listens for the life of the
 * manager can ignore it. It is safe for use by many threads.
 */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /**
     * Removes the listener. A call that is under way, or just about to begin, is still made and not waited for, so that the
     * listener itself may close its registration. A second call does nothing.
     */
    @Override
    void close();
}
