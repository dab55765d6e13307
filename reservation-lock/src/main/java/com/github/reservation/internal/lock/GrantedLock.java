// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Losses;
import com.github.reservation.internal.waiting.Release;
import com.github.reservation.internal.waiting.Release.Answered;
import com.github.reservation.internal.waiting.Releaser;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A grant that its caller may pass on. The first call of {@code release} or {@code close} releases it. */
final class GrantedLock implements HeldLock {

    private final String domain;
    private final Grant grant;
    private final Duration leaseTime;
    private final Ticker ticker;
    private final Grants grants;
    private final Losses losses;
    private final Releaser releaser;
    private final AtomicBoolean released = new AtomicBoolean();

    GrantedLock(
            String domain,
            Grant grant,
            Duration leaseTime,
            Ticker ticker,
            Grants grants,
            Losses losses,
            Releaser releaser) {
        this.domain = domain;
        this.grant = grant;
        this.leaseTime = leaseTime;
        this.ticker = ticker;
        this.grants = grants;
        this.losses = losses;
        this.releaser = releaser;
    }

    @Override
    public String name() {
        return grant.identifier();
    }

    @Override
    public LockLease lease() {
        return new LockLease(name(), grant.lease().holder(), grant.expiresAt());
    }

    @Override
    public boolean isHeld() {
        return grants.checkTrust(grant);
    }

    @Override
    public void ensureHeld() {
        if (isHeld()) {
            return;
        }
        if (isLost()) {
            throw expired();
        }
        throw new IllegalStateException("Lock [" + grant.key() + "] was released");
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, grant.trustedFor(Reading.of(ticker))));
    }

    @Override
    public OptionalLong fencingToken() {
        return grant.fence();
    }

    @Override
    public boolean renew() {
        return renew(leaseTime);
    }

    @Override
    public boolean renew(Duration leaseTime) {
        LeaseTimes.requireValid("leaseTime", leaseTime);
        if (!grants.canRenew()) {
            throw new UnsupportedOperationException("The store cannot renew lock [" + grant.key() + "]");
        }
        try {
            return grants.renew(grant, leaseTime);
        } catch (StoreException e) {
            throw new ReservationException("Could not renew lock [" + grant.key() + "]; its old lease goes on", e);
        }
    }

    @Override
    public Registration onLost(LossListener listener) {
        return losses.addListener(grant, Objects.requireNonNull(listener, "listener must not be null"));
    }

    /** Returns whether the lock was lost, as far as is known. */
    boolean isLost() {
        return grant.lossReason() != null;
    }

    /** Returns why the lock was lost; null if it was not. Asks the store if the reason is still to be found. */
    @Nullable LossReason findLossReason() {
        return grants.findLossReason(grant);
    }

    @Override
    public boolean release() {
        return released.compareAndSet(false, true) && giveBack();
    }

    @Override
    public void close() {
        if (released.compareAndSet(false, true) && !giveBack()) {
            throw expired();
        }
    }

    private boolean giveBack() {
        return switch (releaser.release(grant, () -> {})) {
            case Answered.RETURNED, Answered.QUEUED_BEHIND_OTHERS, Answered.HANDED_OVER -> true;
            case Answered.LOST -> false;
            case Release.Unanswered unanswered -> throw new ReservationException(
                    "Could not release lock [" + grant.key()
                            + "]; the release is retried in the background until the lease ends",
                    unanswered.failure());
        };
    }

    private ReservationExpiredException expired() {
        return new ReservationExpiredException(domain, name());
    }

    @Override
    public String toString() {
        return "HeldLock[" + grant.key() + "]";
    }
}
