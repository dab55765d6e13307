// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A grant as its user sees it. The first call of {@code release} or {@code close} ends the use: it releases the lease of a handle, and
 * for work it undoes one lock of the thread.
 */
final class GrantedLock implements HeldLock {

    private final NamedLocks locks;
    private final Grant grant;
    private final Duration leaseTime;
    private final @Nullable Thread worker;
    private final AtomicBoolean released = new AtomicBoolean();

    /**
     * Whether the store still had the lease when this use ended. If so, nobody else had the lock meanwhile, also if trust ended before; and a
     * loss after that concerns only the others that share the grant.
     */
    private volatile boolean heldToTheEnd;

    /**
     * A use of the grant.
     *
     * @param worker the thread whose work uses it; null for a handle
     */
    GrantedLock(NamedLocks locks, Grant grant, Duration leaseTime, @Nullable Thread worker) {
        this.locks = locks;
        this.grant = grant;
        this.leaseTime = leaseTime;
        this.worker = worker;
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
        return !released.get() && locks.grants().checkTrust(grant);
    }

    @Override
    public void ensureHeld() {
        if (isHeld()) {
            return;
        }
        if (isLost()) {
            throw locks.settings().expired(name());
        }
        throw new IllegalStateException("Lock [" + grant.key() + "] was released");
    }

    @Override
    public Duration remaining() {
        long left = released.get() ? 0 : grant.trustedFor(Reading.of(locks.settings().ticker()));
        return Duration.ofNanos(Math.max(0, left));
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
        return !released.get() && locks.renew(grant, leaseTime);
    }

    @Override
    public Registration onLost(LossListener listener) {
        return locks.losses().addListener(grant, Objects.requireNonNull(listener, "listener must not be null"));
    }

    /** Returns whether the lock was lost before this use ended, as far as is known. */
    boolean isLost() {
        return !heldToTheEnd && grant.lossReason() != null;
    }

    /** Returns why the lock was lost; null if it was not. Asks the store if the reason is still to be found. */
    @Nullable LossReason findLossReason() {
        return heldToTheEnd ? null : locks.grants().findLossReason(grant);
    }

    @Override
    public boolean release() {
        return endsNow() && giveBack();
    }

    @Override
    public void close() {
        if (endsNow() && !giveBack()) {
            throw locks.settings().expired(name());
        }
    }

    private boolean endsNow() {
        if (worker != null && !worker.equals(Thread.currentThread())) {
            throw new IllegalMonitorStateException("Only thread " + worker.getName() + ", which does the work, may"
                    + " release lock [" + grant.key() + "]");
        }
        return released.compareAndSet(false, true);
    }

    private boolean giveBack() {
        HoldLifecycle holds = locks.holds();
        heldToTheEnd = worker == null ? holds.release(grant, () -> {}) : holds.leave(grant);
        return heldToTheEnd;
    }

    @Override
    public String toString() {
        return "HeldLock[" + grant.key() + "]";
    }
}
