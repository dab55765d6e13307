// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.retry;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Calls the store for many leases, in chunks. Where a chunk fails, its leases are tried one by one, so that one cannot spoil the
 * others. A store that cannot be reached is not asked again.
 */
public final class LeaseBatch {

    /** How long the leases of a chunk that failed are tried one by one. */
    private static final long LONGEST_ONE_BY_ONE = Duration.ofSeconds(2).toNanos();

    /** A call to the store for some of the leases. */
    @FunctionalInterface
    public interface Call {
        void run(List<LeaseId> leases) throws StoreException;
    }

    private final Ticker ticker;
    private final int chunkSize;
    private final Call call;
    private final List<LeaseId> failed = new ArrayList<>();
    private final List<StoreException> failures = new ArrayList<>();

    private LeaseBatch(RetryingStore store, Call call) {
        this.ticker = store.ticker();
        this.chunkSize = store.store().mostLeasesInACall();
        this.call = call;
    }

    /** Makes the call for all leases; the result says for which of them it failed. */
    public static LeaseBatch send(RetryingStore store, Collection<LeaseId> leases, Call call) {
        LeaseBatch batch = new LeaseBatch(store, call);
        batch.inChunks(List.copyOf(leases));
        return batch;
    }

    /** Returns the leases for which the store gave no answer. */
    public List<LeaseId> failed() {
        return failed;
    }

    /** Returns why; at least one if a lease failed. */
    public List<StoreException> failures() {
        return failures;
    }

    private void inChunks(List<LeaseId> leases) {
        for (int from = 0; from < leases.size(); from += chunkSize) {
            List<LeaseId> chunk = leases.subList(from, Math.min(from + chunkSize, leases.size()));
            try {
                call.run(chunk);
            } catch (StoreException e) {
                if (!isWorthAnother(e)) {
                    fail(leases.subList(from, leases.size()), e);
                    return;
                }
                if (chunk.size() == 1) {
                    fail(chunk, e);
                } else {
                    oneByOne(chunk);
                }
            }
        }
    }

    private void oneByOne(List<LeaseId> chunk) {
        long giveUp = ticker.nanos() + LONGEST_ONE_BY_ONE;
        for (int i = 0; i < chunk.size(); i++) {
            try {
                call.run(List.of(chunk.get(i)));
            } catch (StoreException e) {
                if (!isWorthAnother(e) || giveUp - ticker.nanos() <= 0) {
                    fail(chunk.subList(i, chunk.size()), e);
                    return;
                }
                fail(List.of(chunk.get(i)), e);
            }
        }
    }

    private void fail(List<LeaseId> leases, StoreException failure) {
        failed.addAll(leases);
        failures.add(failure);
    }

    /** Returns whether the failure may be that of some leases only. */
    private static boolean isWorthAnother(StoreException e) {
        return e.kind() != Kind.UNAVAILABLE && e.kind() != Kind.MISCONFIGURED;
    }
}
