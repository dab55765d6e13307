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
 * A lock of Hazelcast that a lease of this process owns, with all that Hazelcast does not know of it.
 *
 * <p>Any thread may read the end; only the thread that has the {@link #turn} moves it. {@link HolderDescriptions} writes the
 * description beside all this, because writing can hang.
 */
final class OwnedLock {

    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** When a lease is worth a description: most end before. */
    private static final long DESCRIBED_AFTER = Duration.ofMillis(100).toNanos();

    /** How many milliseconds an unlock waits for a description that is being written. */
    private static final long LONGEST_WRITE = 100;

    /** How much later than asked Hazelcast ends a lock at most, and some more. */
    private static final long LONGEST_OVERTIME = Duration.ofSeconds(5).toNanos();

    final LeaseId lease;
    final LockOwner owner;

    /** Taken to renew, to release or to end the lease: these must not overlap. */
    final ReentrantLock turn = new ReentrantLock();

    /** How often Hazelcast has locked the key for this owner; needs the turn. */
    int holdCount = 1;

    /** Whether the hold count may be higher, because Hazelcast repeated a call when a member died; needs the turn. */
    boolean holdCountMayBeHigher;

    /** Whether an unlock got no answer; needs the turn. */
    boolean unlockUnanswered;

    /** Whether a renewal got no answer; needs the turn to be set. */
    volatile boolean renewalUnanswered;

    private final long since;
    private volatile long endsAt;
    private volatile long latestEnd;
    private volatile boolean endedEarly;
    private volatile long describedAt;
    private volatile long notBefore;
    private volatile boolean describable = true;
    private volatile @Nullable CountDownLatch description;

    /** Negative until it is looked up. */
    private volatile int partition = -1;

    OwnedLock(LeaseId lease, LockOwner owner, Duration leaseTime) {
        this.lease = lease;
        this.owner = owner;
        this.since = System.nanoTime();
        this.endsAt = since + nanos(leaseTime);
        this.latestEnd = endsAt;
        this.describedAt = since + DESCRIBED_AFTER;
        this.notBefore = since;
    }

    /** Returns how long the lease still runs; zero or less if it is over. */
    Duration remaining() {
        return endedEarly ? Duration.ZERO : Duration.ofNanos(endsAt - System.nanoTime());
    }

    boolean isOver() {
        return endedEarly || endsAt - System.nanoTime() <= 0;
    }

    /** Returns whether Hazelcast has ended the lock for sure, whatever this process did. */
    boolean isOverInHazelcast() {
        return latestEnd + LONGEST_OVERTIME - System.nanoTime() < 0;
    }

    /** Lets the lease run for at least the given time from now. */
    void extend(Duration leaseTime) {
        long now = System.nanoTime();
        endsAt = now + Math.max(endsAt - now, nanos(leaseTime));
        latestEnd = now + Math.max(latestEnd - now, endsAt - now);
        if (description != null) {
            describedAt = now + DESCRIBED_AFTER; // Once more, with the new end.
        }
    }

    /** Notes a renewal without an answer: Hazelcast may have given the lock a new end. */
    void mayLastFor(Duration leaseTime) {
        long now = System.nanoTime();
        latestEnd = now + Math.max(latestEnd - now, nanos(leaseTime));
    }

    /** Ends the lease because the lock is lost or released; a renewal that is in flight does not bring it back. */
    void endEarly() {
        endedEarly = true;
    }

    boolean hasEndedEarly() {
        return endedEarly;
    }

    /** Returns the partition of the key. */
    int partition(PartitionService partitions) {
        if (partition < 0) {
            partition = partitions.getPartition(lease.key()).getPartitionId();
        }
        return partition;
    }

    /** Returns when the lease must be ended or described, whichever is first. */
    long dueAt() {
        if (endedEarly) {
            return notBefore;
        }
        long due = !describable || endsAt - describedAt < 0 ? endsAt : describedAt;
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

    /** Begins to write a description; false if it is too late for that. */
    boolean beginDescription() {
        describedAt = System.nanoTime() + FOREVER;
        CountDownLatch writing = new CountDownLatch(1);
        description = writing;
        boolean begins = describable; // Read once: an unlock waits for a description that has begun.
        if (!begins) {
            writing.countDown();
        }
        return begins;
    }

    /** Ends the writing of a description, be it written or not; returns whether it came too late. */
    boolean endDescription() {
        CountDownLatch writing = description;
        if (writing != null) {
            writing.countDown();
        }
        return !describable;
    }

    /** Allows no new description. */
    void stopDescriptions() {
        describable = false;
    }

    /**
     * Allows no new description, and waits a moment for one that is being written. Writing takes longer only if another owner
     * has the lock; the writer removes its description then.
     *
     * @return whether there may be a description to remove
     */
    boolean awaitLastDescription() throws InterruptedException {
        stopDescriptions();
        CountDownLatch writing = description;
        if (writing == null) {
            return false;
        }
        boolean written = writing.await(LONGEST_WRITE, TimeUnit.MILLISECONDS);
        if (!written) {
            writing.countDown(); // No later unlock waits for it again.
        }
        return true;
    }

    private static long nanos(Duration duration) {
        return Math.min(FOREVER, TimeUnit.NANOSECONDS.convert(duration));
    }
}
