// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Calls the store for many leases, in chunks and in a random order. One lease cannot spoil the others, and no lease goes untried
 * because of another one:
 *
 * <ol>
 *   <li>A chunk is retried under the rules of {@link Retries}. All chunks share the limits.
 *   <li>If a chunk fails all the same, its halves are tried, once each, and so on: a bad one of a thousand costs twenty calls. After
 *       two seconds a part that fails is not halved any more.
 *   <li>What the store left undecided is tried last, alone and once, for as long.
 * </ol>
 *
 * A store that cannot be reached is not asked again.
 */
public final class LeaseBatch {

    private static final long LONGEST_SEARCH = Duration.ofSeconds(2).toNanos();

    /** A call to the store for some of the leases; returns those that the store left undecided. */
    @FunctionalInterface
    public interface Call {
        Set<LeaseId> run(List<LeaseId> leases) throws StoreException;
    }

    private final Ticker ticker;
    private final Retries retries;
    private final Retries.Repeats repeats;
    private final int chunkSize;
    private final Call call;
    private final List<LeaseId> undecided = new ArrayList<>();
    private final List<LeaseId> unanswered = new ArrayList<>();
    private final List<StoreException> failures = new ArrayList<>();
    private boolean isUnreachable;

    private LeaseBatch(RetryingStore store, Call call) {
        this.ticker = store.ticker();
        this.retries = store.retries();
        this.repeats = retries.new Repeats();
        this.chunkSize = store.store().mostLeasesInACall();
        this.call = call;
    }

    /** Makes the call for all leases; the result says for which of them the store gave no answer. */
    public static LeaseBatch send(RetryingStore store, Collection<LeaseId> leases, Call call) {
        LeaseBatch batch = new LeaseBatch(store, call);
        List<LeaseId> all = new ArrayList<>(leases);
        if (all.size() > batch.chunkSize) {
            Collections.shuffle(all);
        }
        for (int from = 0; from < all.size(); from += batch.chunkSize) {
            batch.sendChunk(all.subList(from, Math.min(from + batch.chunkSize, all.size())));
        }
        batch.sendUndecided();
        return batch;
    }

    /** Returns the leases for which the store gave no answer. */
    public List<LeaseId> unanswered() {
        return unanswered;
    }

    /** Returns why; at least one if a lease got no answer. */
    public List<StoreException> failures() {
        return failures;
    }

    /** Returns whether the store could not be reached, so that another call now would be in vain. */
    public boolean isUnreachable() {
        return isUnreachable;
    }

    private void sendChunk(List<LeaseId> chunk) {
        if (isUnreachable) {
            unanswered.addAll(chunk);
            return;
        }
        try {
            undecided.addAll(repeats.repeated(() -> call.run(chunk)));
        } catch (StoreException e) {
            Collections.shuffle(chunk); // Only now: a store sorts them faster as they are.
            search(chunk, e, ticker.nanos() + LONGEST_SEARCH);
        }
    }

    /** Tries the halves of what failed. */
    private void search(List<LeaseId> failed, StoreException failure, long giveUp) {
        isUnreachable |= failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.MISCONFIGURED;
        if (isUnreachable || failed.size() == 1 || giveUp - ticker.nanos() <= 0) {
            unanswered.addAll(failed);
            failures.add(failure);
            return;
        }
        int half = failed.size() / 2;
        sendOnce(failed.subList(0, half), giveUp);
        sendOnce(failed.subList(half, failed.size()), giveUp);
    }

    private void sendOnce(List<LeaseId> part, long giveUp) {
        if (isUnreachable) {
            unanswered.addAll(part);
            return;
        }
        try {
            undecided.addAll(retries.answer(() -> call.run(part), ticker.nanos()));
        } catch (StoreException e) {
            search(part, e, giveUp);
        }
    }

    private void sendUndecided() {
        Collections.shuffle(undecided); // Else the same ones would come last each time.
        List<LeaseId> last = List.copyOf(undecided);
        undecided.clear();
        long giveUp = ticker.nanos() + LONGEST_SEARCH;
        for (LeaseId lease : last) {
            if (giveUp - ticker.nanos() > 0) {
                sendOnce(List.of(lease), giveUp);
            } else {
                undecided.add(lease);
            }
        }
        if (!undecided.isEmpty()) {
            unanswered.addAll(undecided);
            failures.add(new StoreException(Kind.CONTENTION, "The store could not look at " + undecided.size()
                    + " leases: other sessions keep their rows locked, or a part of the store does not answer"));
        }
    }
}
