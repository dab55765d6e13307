// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * One call that renews leases, all for the same time. It runs on a thread of its own: the renewing thread waits for it, but not for
 * ever. Its answer counts whenever it comes. The leases may have been sent again by then, which does no harm: a renewal never shortens a
 * lease.
 */
final class RenewalCall implements Runnable {

    private final Grants grants;
    private final Map<LeaseId, Grant> sent = new HashMap<>();
    private final Duration leaseTime;
    private final long roundAt;
    private final Thread caller = Thread.currentThread();
    private volatile boolean over;
    private volatile boolean unreachable;

    /** A call of the round that began at {@code roundAt}. */
    RenewalCall(Grants grants, List<Grant> together, Duration leaseTime, long roundAt) {
        this.grants = grants;
        together.forEach(grant -> sent.put(grant.lease(), grant));
        this.leaseTime = leaseTime;
        this.roundAt = roundAt;
    }

    boolean has(Grant grant) {
        return sent.containsKey(grant.lease());
    }

    /** Returns whether it has taken half a lease: the leases can only be saved if others are sent in its place. */
    boolean isForgotten(long now) {
        return now - roundAt >= LeaseTimes.nanos(leaseTime) / 2;
    }

    boolean isOver() {
        return over;
    }

    /** Returns whether the store could not be reached, so that another call now would be in vain. */
    boolean isUnreachable() {
        return unreachable;
    }

    @Override
    public void run() {
        LeaseBatch batch = LeaseBatch.send(grants.store(), sent.keySet(), this::renew);
        grants.renewalFailed(batch.unanswered().stream().map(this::grant).toList(), leaseTime);
        unreachable = batch.isUnreachable();
    }

    /** Notes that the call has ended, however it ended. */
    void end() {
        over = true;
        LockSupport.unpark(caller);
    }

    private Set<LeaseId> renew(List<LeaseId> leases) throws StoreException {
        Reading request = Reading.of(grants.store().ticker());
        Renewal renewal = grants.store().store().renew(leases, leaseTime);
        List<Grant> renewed = new ArrayList<>();
        List<Grant> gone = new ArrayList<>();
        for (LeaseId lease : leases) {
            if (renewal.renewed().contains(lease)) {
                renewed.add(grant(lease));
            } else if (!renewal.undecided().contains(lease)) {
                gone.add(grant(lease));
            }
        }
        grants.extend(renewed, request, leaseTime);
        renewed.forEach(this::planNext);
        grants.loseGoneElsewhere(gone);
        return renewal.undecided();
    }

    private void planNext(Grant grant) {
        KeepAlive plan = grant.keepAlive();
        if (plan != null && plan.isLast(roundAt)) {
            grant.endKeepAlive(true);
        } else if (plan != null) {
            grant.planRenewal(plan, roundAt);
        }
    }

    private Grant grant(LeaseId lease) {
        return Objects.requireNonNull(sent.get(lease));
    }
}
