// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossReason;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Trust;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the store granted: how far it may be trusted, and whether it was lost. Any thread may renew, end or lose it; it
 * knows the thread that acquired it only to name that thread in a loss. The first one to leave {@code Held} wins, so a grant is lost at most once, and never after it ended.
 */
public final class Grant {

    private sealed interface Phase {

        record Held(Trust trust, long lease) implements Phase {}

        record Lost(LossReason reason, long since) implements Phase {}

        /** Lost, because the store had no such lease while it was trusted; the reason is still to be found. */
        record Gone(long since) implements Phase {}

        record Ended(long since, boolean nearMiss) implements Phase {}
    }

    private final String identifier;
    private final LeaseId lease;
    private final OptionalLong fence;
    private final long acquiredAt;
    private final Thread thread;
    private final AtomicLong endsAt;
    private final AtomicReference<Phase> phase;
    private volatile boolean storeUnreachable;
    private volatile boolean limitReached;
    private volatile @Nullable KeepAlive keepAlive;
    private boolean hasLongestHold;
    private final AtomicReference<@Nullable LossReason> foundReason = new AtomicReference<>();
    private volatile boolean finished;
    private volatile long expiresAt;
    private final long requestedAt;
    private boolean acquiredInDoubt;
    private @Nullable Long nodeHasItSince;

    /**
     * A lease that was requested at {@code sent} and granted by {@code now}.
     *
     * @param thread the thread that acquired it, to be named if the lease is lost
     */
    public Grant(
            String identifier,
            LeaseId lease,
            OptionalLong fence,
            Thread thread,
            Reading sent,
            Duration leaseTime,
            long now) {
        this.identifier = identifier;
        this.lease = lease;
        this.fence = fence;
        this.thread = thread;
        this.acquiredAt = now;
        this.requestedAt = sent.nanos();
        this.expiresAt = sent.plus(leaseTime).epochMillis();
        this.endsAt = new AtomicLong(now + LeaseTimes.nanos(leaseTime));
        this.phase = new AtomicReference<>(new Phase.Held(Trust.of(sent, leaseTime), LeaseTimes.nanos(leaseTime)));
    }

    /** Notes, before the grant is shared, that a request for this lease got lost and may arrive after the release. */
    public void markAcquiredInDoubt() {
        acquiredInDoubt = true;
    }

    /** Notes, before the grant is shared, since when the threads of this node have handed the key to one another. */
    public void keepSince(long since) {
        nodeHasItSince = since;
    }

    /**
     * Has the lease renewed, from when the grant is shared, until it has been held for {@code maxHold}.
     *
     * @param owner the thread whose end ends the renewals; null if any thread may use the grant
     */
    public void keepAlive(Duration leaseTime, Duration maxHold, @Nullable Thread owner) {
        hasLongestHold = true;
        if (maxHold.compareTo(leaseTime) > 0) {
            KeepAlive planned = new KeepAlive(leaseTime, requestedAt, maxHold, owner);
            planRenewal(planned, requestedAt);
            keepAlive = planned;
        }
    }

    /** Plans the next renewal after a lease that was requested at {@code sentAt}. */
    void planRenewal(KeepAlive plan, long sentAt) {
        if (phase.get() instanceof Phase.Held held) {
            plan.renewed(sentAt, held.lease);
        }
    }

    /** Returns when to renew the lease; null if nothing renews it. */
    @Nullable KeepAlive keepAlive() {
        return keepAlive;
    }

    /** Returns whether {@link #keepAlive} has said how long the lease may be held, also if that time has come. */
    public boolean hasLongestHold() {
        return hasLongestHold;
    }

    /** Ends the renewals; with {@code atLimit} because the grant was held as long as it may be. */
    void endKeepAlive(boolean atLimit) {
        limitReached = atLimit;
        keepAlive = null;
    }

    public String identifier() {
        return identifier;
    }

    public LeaseId lease() {
        return lease;
    }

    public String key() {
        return lease.key();
    }

    public OptionalLong fence() {
        return fence;
    }

    public long acquiredAt() {
        return acquiredAt;
    }

    Thread thread() {
        return thread;
    }

    /** Returns when the lease ends by the wall clock, as far as the store has confirmed it; a hint for people and other processes. */
    public long expiresAt() {
        return expiresAt;
    }

    /** Returns when the lease is over in the store at the latest, as far as this side can know. */
    public long endsAt() {
        return endsAt.get();
    }

    /** Returns whether a request for this lease got lost and may still arrive, even after the release. */
    public boolean isAcquiredInDoubt() {
        return acquiredInDoubt;
    }

    /** Returns since when the threads of this node have handed the key to one another; null if this one did not wait. */
    public @Nullable Long nodeHasItSince() {
        return nodeHasItSince;
    }

    /** Returns how many nanoseconds the lease may still be trusted; zero or less if it may not. */
    public long trustedFor(Reading now) {
        return phase.get() instanceof Phase.Held held ? held.trust.left(now) : 0;
    }

    /** Trusts the lease longer after a renewal, never shorter; false if the grant was lost or ended meanwhile. */
    boolean extend(Reading sent, Duration leaseTime, long now) {
        mayEndLater(leaseTime, now);
        Trust renewed = Trust.of(sent, leaseTime);
        long lease = LeaseTimes.nanos(leaseTime);
        while (phase.get() instanceof Phase.Held held) {
            if (phase.compareAndSet(held, new Phase.Held(held.trust.orLonger(renewed), lease))) {
                storeUnreachable = false;
                limitReached = false;
                expiresAt = Math.max(expiresAt, sent.plus(leaseTime).epochMillis());
                return true;
            }
        }
        return false;
    }

    /** Notes that a renewal was sent: if the lease runs out before the store answers, that is the reason. */
    void renewalSent() {
        storeUnreachable = true;
    }

    /** Notes that the store has no such lease any more. */
    void renewalRefused() {
        storeUnreachable = false;
    }

    /** Notes that the store has renewed the lease, or may have, because it gave no answer. */
    void mayEndLater(Duration leaseTime, long now) {
        long renewed = LeaseTimes.nanos(leaseTime);
        endsAt.updateAndGet(end -> Math.max(end - now, renewed) + now);
    }

    /** Ends the grant; false if it had been lost or ended before. */
    public boolean end(long now) {
        return phase.get() instanceof Phase.Held held
                && leave(new Phase.Ended(now, held.trust.until() - now < held.lease / 10));
    }

    /** Returns whether the grant was ended when less than a tenth of its lease was left. */
    boolean wasNearMiss() {
        return phase.get() instanceof Phase.Ended ended && ended.nearMiss;
    }

    /** Declares the grant lost; true for the one caller that did. */
    boolean lose(LossReason reason, long now) {
        return leave(new Phase.Lost(reason, now));
    }

    /** Declares the grant lost because the store has no such lease any more; true for the one caller that did. */
    boolean loseGone(Reading now) {
        return leave(
                trustedFor(now) > 0 ? new Phase.Gone(now.nanos()) : new Phase.Lost(reasonOfExpiry(), now.nanos()));
    }

    private boolean leave(Phase next) {
        while (phase.get() instanceof Phase.Held held) {
            if (phase.compareAndSet(held, next)) {
                return true;
            }
        }
        return false;
    }

    /** Declares the grant lost if it may not be trusted any more; true for the one caller that did. */
    boolean loseIfOverdue(Reading now) {
        while (phase.get() instanceof Phase.Held held && held.trust.left(now) <= 0) {
            if (phase.compareAndSet(held, new Phase.Lost(reasonOfExpiry(), now.nanos()))) {
                return true;
            }
        }
        return false;
    }

    LossReason reasonOfExpiry() {
        if (limitReached) {
            return LossReason.MAX_HOLD_REACHED;
        }
        return storeUnreachable ? LossReason.STORE_UNREACHABLE : LossReason.EXPIRED;
    }

    /** Notes why the grant was lost, if that was found only after it had been ended or declared lost. The first reason stays. */
    void foundLost(LossReason reason) {
        foundReason.compareAndSet(null, reason);
    }

    /** Returns whether the grant was lost and the reason is still to be found. */
    boolean isReasonOpen() {
        return phase.get() instanceof Phase.Gone && foundReason.get() == null;
    }

    /** Returns why the grant was lost, as far as is known; null if it was not lost. */
    public @Nullable LossReason lossReason() {
        LossReason found = foundReason.get();
        if (found != null) {
            return found;
        }
        return switch (phase.get()) {
            case Phase.Lost lost -> lost.reason;
            case Phase.Gone gone -> LossReason.FORCED;
            case Phase.Held held -> null;
            case Phase.Ended ended -> null;
        };
    }

    /** Notes that the release has ended: no loss can be found any more. */
    void finish() {
        finished = true;
    }

    boolean isFinished() {
        return finished;
    }

    /** Returns whether the store has no such lease any more. If only trust has run out, the store may still have it. */
    public boolean isSurelyLost() {
        return switch (phase.get()) {
            case Phase.Gone gone -> true;
            case Phase.Lost lost -> switch (lost.reason) {
                case EXPIRED, STORE_UNREACHABLE, MAX_HOLD_REACHED -> false;
                case TAKEN_OVER, FORCED, DISCONNECTED -> true;
            };
            case Phase.Held held -> false;
            case Phase.Ended ended -> false;
        };
    }

    public boolean isHeld() {
        return phase.get() instanceof Phase.Held;
    }

    /** Returns how far the lease is trusted unless it is renewed; null if the grant is lost or ended. */
    public @Nullable Trust trust() {
        return phase.get() instanceof Phase.Held held ? held.trust : null;
    }

    /** Returns since when the grant has been lost or ended; called only after it was. */
    public long overSince() {
        return switch (phase.get()) {
            case Phase.Held held -> acquiredAt;
            case Phase.Lost lost -> lost.since;
            case Phase.Gone gone -> gone.since;
            case Phase.Ended ended -> ended.since;
        };
    }
}
