// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * The registration of a listener, see {@link ReservationManager#onLost}. Close it to remove the listener, or ignore it to keep
 * the listener for the life of what it was registered with. Thread-safe.
 */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /**
     * Removes the listener. This method does not wait for a call that is running or about to start, so a listener may close its
     * own registration. A second call does nothing.
     */
    @Override
    void close();
}
