// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoredLease;
import com.hazelcast.partition.PartitionService;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lease that Hazelcast has granted to this process: all that Hazelcast does not know of it.
 *
 * <p>The end may be read by any thread; it is moved by whoever has the {@link #turn}. The description is written by the
 * {@link Housekeeper} beside all this, because it can hang.
 */
final class Grant {

    private static final long FOREVER = Long.MAX_VALUE / 2;
    private static final Duration LONGEST = Duration.ofNanos(FOREVER);

    /** When a lease is worth a description: most are given back before. */
    private static final long A_MOMENT = Duration.ofMillis(100).toNanos();

    /** How many milliseconds to wait for a description that is being written when the lease is given back. */
    private static final long LONGEST_WRITE = 100;

    /** How much later than asked Hazelcast ends a lock at most, and some more. */
    private static final long LONGEST_OVERTIME = Duration.ofSeconds(5).toNanos();

    final LeaseId lease;
    final Owner owner;

    /** Taken to renew, to release or to end the lease: these must not meet. */
    final ReentrantLock turn = new ReentrantLock();

    /** How often Hazelcast's lock was entered; belongs to whoever has the turn. */
    int entered = 1;

    /** Whether an attempt to enter the lock once more got no answer; set by whoever has the turn. */
    volatile boolean perhapsMore;

    /** Whether an attempt to leave the lock got no answer; belongs to whoever has the turn. */
    boolean perhapsLeft;

    /** Whether the lock may have been entered more often, because a member died; belongs to whoever has the turn. */
    boolean enteredMore;

    private final long since;
    private volatile long endsAt;
    private volatile long latestEnd;
    private volatile boolean gone;
    private volatile long describedAt;
    private volatile long notBefore;
    private volatile boolean leaving;
    private volatile @Nullable CountDownLatch description;

    /** Negative until somebody wants to know. */
    private volatile int partition = -1;

    Grant(LeaseId lease, Owner owner, Duration leaseTime) {
        this.lease = lease;
        this.owner = owner;
        this.since = System.nanoTime();
        this.endsAt = since + nanos(leaseTime);
        this.latestEnd = endsAt;
        this.describedAt = since + A_MOMENT;
        this.notBefore = since;
    }

    /** Returns how long it still runs; zero or less if not any more. */
    Duration remaining() {
        return gone ? Duration.ZERO : Duration.ofNanos(endsAt - System.nanoTime());
    }

    boolean isOver() {
        return gone || endsAt - System.nanoTime() <= 0;
    }

    /** Returns whether Hazelcast has ended it for sure, whatever we did. */
    boolean isOverInHazelcast() {
        return latestEnd + LONGEST_OVERTIME - System.nanoTime() < 0;
    }

    /** Lets it run for at least the given time from now. */
    void prolong(Duration leaseTime) {
        long now = System.nanoTime();
        endsAt = now + Math.max(endsAt - now, nanos(leaseTime));
        latestEnd = now + Math.max(latestEnd - now, endsAt - now);
        if (description != null) {
            describedAt = now + A_MOMENT; // Once more, with the new end.
        }
    }

    /** Says that a renewal got no answer: Hazelcast may have given the lock a new end. */
    void mayLastFor(Duration leaseTime) {
        long now = System.nanoTime();
        latestEnd = now + Math.max(latestEnd - now, nanos(leaseTime));
    }

    /** Ends it, whatever a renewal that is under way says: the lock is lost, or was given back. */
    void cutShort() {
        gone = true;
    }

    /** Returns whether it ended before its time. */
    boolean isCutShort() {
        return gone;
    }

    /** Returns the partition of its key. */
    int partition(PartitionService partitions) {
        if (partition < 0) {
            partition = partitions.getPartition(lease.key()).getPartitionId();
        }
        return partition;
    }

    /** Returns when there is something to do for it. */
    long dueAt() {
        if (gone) {
            return notBefore;
        }
        long due = leaving || endsAt - describedAt < 0 ? endsAt : describedAt;
        return due - notBefore < 0 ? notBefore : due;
    }

    /** Puts off what is due. */
    void putOff(Duration pause) {
        notBefore = System.nanoTime() + pause.toNanos();
    }

    ReservationValue value() {
        return ReservationValue.of(lease, acquired());
    }

    StoredLease stored() {
        return new StoredLease(lease, acquired(), remaining(), OptionalLong.empty());
    }

    private Instant acquired() {
        return Instant.now().minusNanos(System.nanoTime() - since);
    }

    /** Says that a description is about to be written; false if it is too late for that. */
    boolean startsDescribing() {
        describedAt = System.nanoTime() + FOREVER;
        CountDownLatch writing = new CountDownLatch(1);
        description = writing;
        if (leaving) {
            writing.countDown();
        }
        return !leaving;
    }

    /** Says that the description is written, or could not be; returns whether it has come too late. */
    boolean endsDescribing() {
        CountDownLatch writing = description;
        if (writing != null) {
            writing.countDown();
        }
        return leaving;
    }

    void stopsDescribing() {
        leaving = true;
    }

    /**
     * Says that nothing is to be described any more, and waits a moment for what is being written. It can take longer only
     * if somebody else has the lock; whoever writes cleans up after itself then.
     *
     * @return whether there may be a description to remove
     */
    boolean leave() throws InterruptedException {
        stopsDescribing();
        CountDownLatch writing = description;
        if (writing == null) {
            return false;
        }
        boolean written = writing.await(LONGEST_WRITE, TimeUnit.MILLISECONDS);
        if (!written) {
            writing.countDown(); // Nobody need wait for it again.
        }
        return true;
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? FOREVER : duration.toNanos();
    }
}
