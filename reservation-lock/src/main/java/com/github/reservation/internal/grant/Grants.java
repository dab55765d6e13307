// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossReason;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The live grants of one manager. A grant is here from its acquisition until it ends or is lost. */
public final class Grants {

    /** The news that leases were lost, from the store or after a forced release; two of them are never equal. */
    public static final class LossSignal {

        private static final int LONGEST_CHAIN = 100;

        private final LossReason reason;
        private final @Nullable String key;
        private final @Nullable LossSignal previous;
        private final int length;

        /** A signal about this key; about any key if it is null, or if the chain becomes too long and begins anew. */
        private LossSignal(LossReason reason, @Nullable String key, @Nullable LossSignal last) {
            boolean continues = last != null && last.length < LONGEST_CHAIN;
            this.reason = reason;
            this.key = continues || last == null ? key : null;
            this.previous = continues ? last : null;
            this.length = continues && last != null ? last.length + 1 : 1;
        }

        private boolean isAbout(Grant grant) {
            return key == null || key.equals(grant.key());
        }
    }

    private final RetryingStore store;
    private final Ticker ticker;
    private final Losses losses;
    private final Events events;
    private final ConcurrentHashMap<LeaseId, Grant> live = new ConcurrentHashMap<>();
    private final LossWatch watch;
    private final AutoRenewal renewal;
    private final AtomicReference<@Nullable LossSignal> lastSignal = new AtomicReference<>();

    /** Runs {@code forget} now and then, which returns whether it has to run again; see {@link LossWatch}. */
    public Grants(RetryingStore store, Losses losses, BooleanSupplier forget) {
        this.store = store;
        this.ticker = store.ticker();
        this.losses = losses;
        this.events = losses.events();
        this.watch = new LossWatch(this, ticker, forget);
        this.renewal = new AutoRenewal(this, ticker, losses.domain());
    }

    /** Makes sure, before anything is acquired, that its end will be noticed. The caller says when the acquisition has ended. */
    public void acquisitionBegins() {
        watch.acquisitionBegins();
    }

    public void acquisitionEnded() {
        watch.acquisitionEnded();
    }

    /**
     * Adds a new grant.
     *
     * @param heardBefore the last signal when the lease was requested. A later one may have been about this lease, and has
     *     not found it here: then the store is asked
     */
    public void add(Grant grant, @Nullable LossSignal heardBefore) {
        events.acquired(grant); // Before anything else can happen to it.
        live.put(grant.lease(), grant);
        watch.watch(grant);
        KeepAlive keepAlive = grant.keepAlive();
        if (keepAlive != null) {
            renewal.add(keepAlive);
        }
        for (LossSignal signal = lastSignal.get(); signal != null && signal != heardBefore; signal = signal.previous) {
            if (signal.isAbout(grant)) {
                checkAgain(grant, signal.reason);
                return;
            }
        }
    }

    private void checkAgain(Grant grant, LossReason reason) {
        boolean stillHeld = false;
        try {
            stillHeld = store.isHeldBy(grant.lease());
        } catch (StoreException e) {
            Log.debug("Could not find out whether " + grant.key() + " is still held", e);
            store.releaseLater(grant.lease(), grant.endsAt());
        }
        if (!stillHeld) {
            lose(List.of(grant), reason);
        }
    }

    public @Nullable LossSignal lastSignal() {
        return lastSignal.get();
    }

    /** Receives a signal of the store. */
    public void signalled(Set<LeaseId> leases, LossReason reason) {
        signalled(leases, reason, null);
    }

    private void signalled(Set<LeaseId> leases, LossReason reason, @Nullable String key) {
        // Before the look: a grant that is not found is added later, and sees the signal.
        lastSignal.updateAndGet(last -> new LossSignal(reason, key, last));
        lose(leases.stream().map(live::get).filter(Objects::nonNull).toList(), reason);
    }

    /**
     * Learns that this manager released the key by force, or may have. A grant of the key that is on its way finds out as after a signal. For the other grants of
     * the key, if there are any, the store is asked: the reply to an earlier request that ended one of them may have got lost.
     *
     * @param ended the lease that the store ended, as far as it knows
     */
    public void forced(String key, Optional<LeaseId> ended) {
        signalled(ended.map(Set::of).orElse(Set.of()), LossReason.FORCED, key);
        live.values().stream()
                .filter(grant -> grant.key().equals(key))
                .forEach(grant -> checkAgain(grant, LossReason.FORCED));
    }

    Iterable<Grant> all() {
        return live.values();
    }

    public boolean isEmpty() {
        return live.isEmpty();
    }

    boolean isAnyKeptAlive() {
        return live.values().stream().anyMatch(grant -> grant.keepAlive() != null);
    }

    public int countTrusted() {
        Reading now = Reading.of(ticker);
        return (int) live.values().stream()
                .filter(grant -> grant.trustedFor(now) > 0)
                .count();
    }

    /** Returns whether the grant may be trusted; if not, it is lost from now on. */
    public boolean checkTrust(Grant grant) {
        losses.loseIfOverdue(grant);
        boolean held = grant.isHeld();
        if (!held) {
            remove(grant); // Another thread may have declared it lost, and may still be about to remove it.
        }
        return held;
    }

    public boolean canRenew() {
        return !(store.store() instanceof FixedLeaseStore);
    }

    /** Renews the lease; false if it is lost. */
    public boolean renew(Grant grant, Duration leaseTime) throws StoreException {
        if (!checkTrust(grant)) {
            return false;
        }
        grant.renewalSent();
        try {
            Optional<Reading> sent = store.renew(grant.lease(), leaseTime);
            if (sent.isPresent()) {
                extend(List.of(grant), sent.get(), leaseTime);
                return checkTrust(grant);
            }
        } catch (StoreException e) {
            grant.mayEndLater(leaseTime, ticker.nanos());
            losses.meters().recordRenewals(losses.domain(), "error", 1);
            throw e;
        }
        loseGone(List.of(grant)).run();
        return false;
    }

    RetryingStore store() {
        return store;
    }

    /** Notes that the store gave no answer to a renewal of the leases, and plans the next attempt. */
    void renewalFailed(List<Grant> unanswered, Duration leaseTime) {
        long now = ticker.nanos();
        for (Grant grant : unanswered) {
            grant.mayEndLater(leaseTime, now);
            KeepAlive keepAlive = grant.keepAlive();
            if (keepAlive != null) {
                keepAlive.failed(now);
            }
        }
        losses.meters().recordRenewals(losses.domain(), "error", unanswered.size());
    }

    /** Declares grants lost whose leases the store does not have any more, and reports them on another thread. */
    void loseGoneElsewhere(List<Grant> gone) {
        if (!gone.isEmpty()) {
            Threads.executeOrRun(loseGone(gone)); // To ask for the reasons takes time, and the other leases must be renewed.
        }
    }

    /** Trusts the grants longer after a renewal. */
    void extend(List<Grant> renewed, Reading sent, Duration leaseTime) {
        long now = ticker.nanos();
        List<Grant> extended = renewed.stream()
                .filter(grant -> grant.extend(sent, store.granted(grant.lease(), leaseTime), now))
                .toList();
        losses.meters().recordRenewals(losses.domain(), "renewed", extended.size());
        extended.forEach(events::renewed);
    }

    /** Declares grants lost whose leases the store does not have any more; what it returns finds out why, and reports it. */
    private Runnable loseGone(List<Grant> gone) {
        gone.forEach(Grant::renewalRefused);
        List<Grant> lost = losses.loseGone(gone);
        lost.forEach(this::remove);
        losses.meters().recordRenewals(losses.domain(), "lost", lost.size());
        return () -> lost.forEach(grant -> losses.report(grant, Objects.requireNonNull(findLossReason(grant))));
    }

    /** Returns why the grant was lost; null if it was not. Asks the store if the reason is still to be found. */
    public @Nullable LossReason findLossReason(Grant grant) {
        if (grant.isReasonOpen()) {
            grant.foundLost(reasonOfTaking(grant));
        }
        return grant.lossReason();
    }

    /**
     * Finds out and reports why the store had no such lease any more when the grant had just been ended.
     *
     * @param trusted whether the lease could still be trusted when the store said so; if not, it had ended by itself, whoever came next
     */
    public void reportGone(Grant grant, boolean trusted) {
        losses.report(grant, trusted ? reasonOfTaking(grant) : grant.reasonOfExpiry());
    }

    /** Finds out why the store has no such lease any more although it has not ended by itself. */
    private LossReason reasonOfTaking(Grant grant) {
        try {
            if (store.find(grant.key()).isPresent()) {
                return LossReason.TAKEN_OVER;
            }
        } catch (StoreException e) {
            Log.debug("Could not find out who holds " + grant.key() + " now", e);
        }
        return LossReason.FORCED;
    }

    /** Declares the grants lost. */
    private void lose(List<Grant> grants, LossReason reason) {
        losses.lose(grants, reason);
        grants.forEach(this::remove);
    }

    /** Ends the grant, because its lease is about to be released; false if it had been lost before. */
    public boolean end(Grant grant, long now) {
        boolean wasHeld = grant.end(now);
        remove(grant);
        return wasHeld;
    }

    private void remove(Grant grant) {
        live.remove(grant.lease(), grant);
    }

    /** Finishes what {@link #end} began; with {@code measure} the lease was held until it was released. */
    public void released(Grant grant, boolean measure) {
        watch.ended();
        losses.forget(grant);
        if (measure) {
            losses.released(grant);
        }
    }

    /** Ends the renewals. */
    public void stopRenewing() {
        renewal.close();
    }

    /** Stops watching as soon as nothing is held any more, and then runs {@code whenOver}. */
    public void close(Runnable whenOver) {
        watch.close(whenOver);
    }

    /** Returns the thread that notices expired leases; null if there is none now. */
    public @Nullable Thread watchThread() {
        return watch.thread();
    }

    /** Returns the thread that renews leases; null if there is none now. */
    public @Nullable Thread renewalThread() {
        return renewal.thread();
    }
}
