// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.util.Objects;

/**
 * The attempts of one listener with one event that failed, or that have not come back: the listener has been busy for a while, or the process
 * ended.
 *
 * @param listener the id of the listener
 * @param attempts how often it was tried
 * @param parked whether it is not tried again until {@link Outbox#retry}
 * @param error what it threw the last time, or why it was not called, shortened and without control characters
 */
public record OutboxFailure(String listener, int attempts, boolean parked, String error) {

    public OutboxFailure {
        Objects.requireNonNull(listener, "listener must not be null");
        Objects.requireNonNull(error, "error must not be null");
    }
}
