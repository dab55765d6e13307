// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Calls the store of one manager under the rules of {@link Retries}. A release is followed by a look at the key if its outcome is
 * unknown; if it still fails, it is the caller's to retry in the background, with {@link #releaseLater}. An acquisition is resolved by
 * its caller.
 */
public final class RetryingStore {

    private final LeaseStore store;
    private final Ticker ticker;
    private final Retries retries;
    private final ReleaseRetrier retrier;

    /** Passes the key of each lease that was released in the background to {@code released}. */
    public RetryingStore(
            LeaseStore store, Ticker ticker, String domain, Meters meters, Consumer<String> released) {
        this.store = store;
        this.ticker = ticker;
        this.retries = new Retries(ticker, "domain " + domain, e -> meters.recordStoreError(domain, e));
        this.retrier = new ReleaseRetrier(this, ticker, released);
    }

    public LeaseStore store() {
        return store;
    }

    /** Returns whether the store notifies a node that is in line for a key. */
    public boolean canSignal() {
        return store instanceof SignallingStore signalling && signalling.canSignal();
    }

    public Ticker ticker() {
        return ticker;
    }

    /** Returns the rules, for calls that resolve a lost reply on their own. */
    public Retries retries() {
        return retries;
    }

    public Optional<StoredLease> find(String key) throws StoreException {
        return retries.repeated(() -> store.find(key));
    }

    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return retries.repeated(() -> store.forceRelease(key));
    }

    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return retries.repeated(() -> store.list(keyPrefix));
    }

    /** Returns whether this very lease still exists. */
    public boolean isHeldBy(LeaseId lease) throws StoreException {
        return find(lease.key()).filter(found -> found.id().equals(lease)).isPresent();
    }

    /**
     * Renews the lease.
     *
     * @return when the successful request was sent; empty if the lease is lost
     */
    public Optional<Reading> renew(LeaseId lease, Duration leaseTime) throws StoreException {
        return retries.repeated(() -> {
            Reading sent = Reading.of(ticker);
            return store.renew(List.of(lease), leaseTime).hasRenewed(lease) ? Optional.of(sent) : Optional.empty();
        });
    }

    /** Returns for how long the store granted or renewed the lease after it was asked for {@code leaseTime}. */
    public Duration granted(LeaseId lease, Duration leaseTime) {
        return store instanceof ShorteningStore shortening ? shortening.granted(lease, leaseTime) : leaseTime;
    }

    /**
     * Releases the lease.
     *
     * @param trusted whether the holder could still trust the lease when it decided to release it
     * @return whether the lease was the holder's until then
     */
    public boolean release(LeaseId lease, boolean trusted) throws StoreException {
        return release(lease, trusted, () -> store.release(List.of(lease)).contains(lease));
    }

    /** Releases the lease for a node where other threads wait, so that the node keeps its turn. */
    public boolean releaseAndQueue(LeaseId lease, boolean trusted, String node, boolean mayStay)
            throws StoreException {
        return store instanceof QueueingStore queueing
                ? release(lease, trusted, () -> queueing.releaseAndQueue(lease, node, mayStay))
                : release(lease, trusted);
    }

    private boolean release(LeaseId lease, boolean trusted, Retries.Call<Boolean> call) throws StoreException {
        Retries.Repeats repeats = retries.new Repeats();
        boolean inDoubt = false;
        while (true) {
            try {
                boolean released = repeats.answer(call);
                // A release in doubt can take effect after the look: then it was this one that ended the lease.
                return released || (inDoubt && trusted);
            } catch (StoreException e) {
                repeats.allowOrThrow(e);
                inDoubt = true;
                if (!isHeldBy(lease)) {
                    // Gone. If it was trusted, nobody could have had it before this release took effect.
                    return trusted;
                }
            }
        }
    }

    /** Releases the lease in the background; it expires at {@code end} in any case. */
    public void releaseLater(LeaseId lease, long end) {
        retrier.release(lease, end);
    }

    /**
     * Releases in the background a lease that may or may not have been granted. The request may still be on its way when the
     * store answers that there is no such lease: so the release is sent a second time, a moment later.
     */
    public void releaseInDoubt(LeaseId lease, long end) {
        retrier.releaseInDoubt(lease, end);
    }

    /** Returns whether a release of the lease is pending in the background. */
    public boolean isReleasePending(LeaseId lease) {
        return retrier.isPending(lease);
    }

    /** Returns whether no release is pending in the background. */
    public boolean isIdle() {
        return retrier.isIdle();
    }

    /** Gives up the node's place in line for the key, where the store keeps one. */
    public void withdraw(String key, String node) {
        if (!(store instanceof QueueingStore queueing && queueing.hasQueue())) {
            return; // Without a call, for which a caller whose time is over might have to wait.
        }
        try {
            retries.answer(() -> {
                queueing.withdraw(key, node);
                return true;
            });
        } catch (StoreException e) {
            Log.debug("Could not give up the place in line for " + key + "; other nodes wait a moment longer", e);
        }
    }
}
