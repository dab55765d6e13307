// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is not delivered yet. An event that waits for two listeners counts twice. {@link Outbox#listeners} shows each listener.
 *
 * @param pending how many events wait
 * @param parked how many other events are parked: a listener failed with them for too long
 * @param oldest how long ago the oldest of all these events was appended; empty if there is none
 */
public record OutboxBacklog(long pending, long parked, Optional<Duration> oldest) {

    public OutboxBacklog {
        Objects.requireNonNull(oldest, "oldest must not be null");
    }
}
