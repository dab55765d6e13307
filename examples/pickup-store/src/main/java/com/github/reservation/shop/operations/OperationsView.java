// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator sees. */
public record OperationsView(
        List<Holder> holders,
        List<StateCount> claims,
        List<StateCount> orders,
        List<OverdueOrder> overdue,
        long overdueCount,
        String lag,
        double lagSeconds,
        List<RunView> runs,
        OutboxView outbox,
        List<Chart> charts,
        String instance,
        Instant startedAt) {

    /** How many there are in a state. */
    public record StateCount(String state, long count) {}

    /** An order whose hold has ended and that the job has not expired yet. */
    public record OverdueOrder(long id, String store, long overdueSeconds) {}

    /** A run of the job. */
    public record RunView(
            String source,
            Instant startedAt,
            String duration,
            long processed,
            long failed,
            long setAside,
            String lag,
            @Nullable String failure) {}

    /**
     * The events that wait for their delivery.
     *
     * @param parked the events whose delivery has failed too often
     * @param oldest how long the oldest event has been waiting
     */
    public record OutboxView(long pending, long parked, @Nullable String oldest) {}
}
