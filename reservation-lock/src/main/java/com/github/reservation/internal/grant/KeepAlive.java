// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.internal.base.LeaseTimes;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * When to renew the lease of a grant, and for how long: after a third of the lease, and for the whole of it again, but never beyond
 * the longest hold.
 */
final class KeepAlive {

    private static final long LONGEST_RETRY = Duration.ofSeconds(1).toNanos();

    private final Duration leaseTime;
    private final long lease;
    private final long limit;
    private final @Nullable Thread owner;
    private volatile long dueAt;
    private volatile long window;
    private volatile long planned;

    /** Counts from when the lease was requested, as trust does. */
    KeepAlive(Duration leaseTime, long requestedAt, Duration maxHold, @Nullable Thread owner) {
        this.leaseTime = leaseTime;
        this.lease = LeaseTimes.nanos(leaseTime);
        this.limit = requestedAt + LeaseTimes.nanos(maxHold);
        this.owner = owner;
        renewed(requestedAt, lease);
    }

    long dueAt() {
        return dueAt;
    }

    /** Returns whether to renew the lease together with those that are due now: it is due soon, and one call serves many leases. */
    boolean isDue(long now) {
        return dueAt - now <= window;
    }

    boolean isOwnerDead() {
        return owner != null && !owner.isAlive();
    }

    /**
     * Returns the time to renew the lease for. The last time is shorter than the lease. It is a multiple of a tenth of the lease that
     * the store grants, so that the last renewals of many leases still go together.
     */
    Duration nextLease(long now) {
        long left = limit - now;
        long step = Math.max(1, planned / 10);
        return left >= lease ? leaseTime : Duration.ofNanos(step * Math.max(0, left / step));
    }

    /** Returns whether a renewal at this time is the last one: the limit is no further away than a lease that the store grants. */
    boolean isLast(long now) {
        return limit - now <= planned;
    }

    /**
     * Plans the next renewal: a little earlier at random, so that the renewals of many nodes do not march in step.
     *
     * @param granted how long the lease runs, if that is shorter than was asked for
     */
    void renewed(long sentAt, long granted) {
        planned = Math.min(lease, granted);
        dueAt = sentAt + planned / 3 - ThreadLocalRandom.current().nextLong(planned / 12 + 1);
        window = planned / 10;
    }

    /** Returns how long to wait for the answer to a renewal before it is sent again, on another connection. */
    long patience() {
        return planned / 6;
    }

    /** Plans the next attempt in case that there is no answer. */
    void sent(long sentAt) {
        dueAt = sentAt + patience();
        window = 0;
    }

    /** Plans the next attempt, and not before. */
    void failed(long sentAt) {
        dueAt = sentAt + Math.min(LONGEST_RETRY, planned / 10);
        window = 0;
    }
}
