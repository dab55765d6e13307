// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is not delivered yet.
 *
 * @param pending how many events wait. An event waits until each registered listener of its type has it; an event whose type has no
 *     listener waits, too
 * @param parked how many other events are parked: a listener failed too often
 * @param oldest how long ago the oldest of all these events was appended; empty if there is none
 */
public record OutboxBacklog(long pending, long parked, Optional<Duration> oldest) {

    public OutboxBacklog {
        Objects.requireNonNull(oldest, "oldest must not be null");
    }
}
