// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossReason;
import com.github.reservation.internal.store.LeaseId;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread's side of one lease: how far it may be trusted, and how many unlocks the thread owes.
 *
 * <p>The phase is shared: the thread renews and ends the hold, the watch and the signals of the store can declare it
 * lost. Whoever leaves {@code Held} first wins, so that a hold is lost at most once and never after it was given back.
 * The counters, the doubt and the times belong to the thread alone.
 */
final class Hold {

    private sealed interface Phase {

        record Held(Trust trust) implements Phase {}

        record Lost(LossReason reason, long since) implements Phase {}

        record Ended(long since) implements Phase {}
    }

    final Thread thread;
    final String identifier;
    final LeaseId lease;
    final OptionalLong fence;
    final long acquiredAt;

    /** Since when threads of this manager have handed the key to one another; null if this one did not stand in line. */
    @Nullable Long nodeHasItSince;

    /** Unlocks owed for this lease. */
    int count = 1;

    /** Unlocks owed for leases of the same thread and key that were lost before this one was acquired. */
    int lostCount;

    /** The last loss that the store had told of when this lease was asked for; see {@link LossSignals}. */
    LossSignals.@Nullable Signal toldBefore;

    /** Whether a request for this lease got lost and may still arrive, even after the lease was released. */
    boolean acquiredInDoubt;

    /** When the lease is over in the store, as far as this side can know. */
    long endsAt;

    private final AtomicReference<Phase> phase;
    private volatile boolean storeUnreachable;

    /** A hold of the current thread, whose lease was asked for at {@code sent} and granted by now. */
    Hold(String identifier, LeaseId lease, OptionalLong fence, Reading sent, Duration leaseTime, long now) {
        this.thread = Thread.currentThread();
        this.identifier = identifier;
        this.lease = lease;
        this.fence = fence;
        this.acquiredAt = now;
        this.endsAt = now + LeaseTimes.nanos(leaseTime);
        this.phase = new AtomicReference<>(new Phase.Held(Trust.of(sent, leaseTime)));
    }

    /** Returns how many nanoseconds the holder may still trust the lease; zero or less if not any more. */
    long trustedFor(Reading now) {
        return phase.get() instanceof Phase.Held held ? held.trust.left(now) : 0;
    }

    /** Trusts the lease longer after a renewal, never shorter; false if the hold was lost or ended meanwhile. */
    boolean extend(Reading sent, Duration leaseTime, long now) {
        endsAt = Math.max(endsAt - now, LeaseTimes.nanos(leaseTime)) + now;
        Trust renewed = Trust.of(sent, leaseTime);
        while (phase.get() instanceof Phase.Held held) {
            if (phase.compareAndSet(held, new Phase.Held(held.trust.orLonger(renewed)))) {
                storeUnreachable = false;
                return true;
            }
        }
        return false;
    }

    /** Notes that a renewal found no store: it is the reason if the lease now runs out. */
    void renewalFailed(Duration leaseTime, long now) {
        endsAt = Math.max(endsAt - now, LeaseTimes.nanos(leaseTime)) + now;
        storeUnreachable = true;
    }

    /** Ends the hold; true if it was held until now, false if it had been lost. */
    boolean end(long now) {
        while (phase.get() instanceof Phase.Held held) {
            if (phase.compareAndSet(held, new Phase.Ended(now))) {
                return true;
            }
        }
        return false;
    }

    /** Declares the hold lost; true for the one caller that did. */
    boolean lose(LossReason reason, long now) {
        while (phase.get() instanceof Phase.Held held) {
            if (phase.compareAndSet(held, new Phase.Lost(reason, now))) {
                return true;
            }
        }
        return false;
    }

    /** Declares the hold lost if its time is over; true for the one caller that did. */
    boolean loseIfOverdue(Reading now) {
        while (phase.get() instanceof Phase.Held held && held.trust.left(now) <= 0) {
            if (phase.compareAndSet(held, new Phase.Lost(reasonOfExpiry(), now.nanos()))) {
                return true;
            }
        }
        return false;
    }

    LossReason reasonOfExpiry() {
        return storeUnreachable ? LossReason.STORE_UNREACHABLE : LossReason.EXPIRED;
    }

    /** Returns why the hold was lost; asked only after it was. */
    LossReason lossReason() {
        return phase.get() instanceof Phase.Lost lost ? lost.reason : reasonOfExpiry();
    }

    /**
     * Returns whether the hold is lost for sure. If only its time was over, the store may still have the lease, for the
     * length of the margin.
     */
    boolean isSurelyLost() {
        return phase.get() instanceof Phase.Lost lost
                && lost.reason != LossReason.EXPIRED
                && lost.reason != LossReason.STORE_UNREACHABLE;
    }

    boolean isHeld() {
        return phase.get() instanceof Phase.Held;
    }

    /** Returns how far the lease is trusted if it is not renewed; null if the hold is over. */
    @Nullable Trust trust() {
        return phase.get() instanceof Phase.Held held ? held.trust : null;
    }

    /** Returns since when the hold has been lost or ended; asked only after it was. */
    long overSince() {
        return switch (phase.get()) {
            case Phase.Held held -> acquiredAt;
            case Phase.Lost lost -> lost.since;
            case Phase.Ended ended -> ended.since;
        };
    }
}
