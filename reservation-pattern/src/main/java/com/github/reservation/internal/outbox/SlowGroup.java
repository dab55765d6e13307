// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.time.Duration;

/** A group that delivers one last event, which has a lease of its own. Only for the thread of the {@link Pump}. */
final class SlowGroup {

    private final KeyGroup group;
    private final int index;
    private final Duration lease;
    private long renewAt;
    private boolean lost;

    /** Makes the group slow, whose lease began after {@code start}. */
    SlowGroup(KeyGroup group, int index, long start, Duration lease) {
        this.group = group;
        this.index = index;
        this.lease = lease;
        renewed(start, true);
    }

    KeyGroup group() {
        return group;
    }

    int index() {
        return index;
    }

    StoredEvent event() {
        return group.event(index);
    }

    boolean isLost() {
        return lost;
    }

    long renewAt() {
        return renewAt;
    }

    /** Notes an attempt to extend the lease; one that is lost is not extended again. */
    void renewed(long start, boolean ours) {
        renewAt = start + (ours ? lease.dividedBy(3) : Duration.ofDays(1)).toNanos();
        lost |= !ours;
    }
}
