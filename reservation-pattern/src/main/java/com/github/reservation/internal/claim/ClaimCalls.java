// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls the store. In a transaction of its own a call is retried under the rules of {@link Retries}; in a caller's it is not, because a
 * database may have rolled the whole transaction back.
 */
final class ClaimCalls {

    private final @Nullable Retries retries;

    private ClaimCalls(@Nullable Retries retries) {
        this.retries = retries;
    }

    static ClaimCalls ofItsOwn(Retries retries) {
        return new ClaimCalls(retries);
    }

    static ClaimCalls inTransaction() {
        return new ClaimCalls(null);
    }

    /** Makes a call that may safely be made twice. */
    <T> T ask(Retries.Call<T> call) {
        try {
            return retries == null ? call.run() : retries.repeated(call);
        } catch (StoreException e) {
            throw retries == null
                    ? inTransaction(e)
                    : new ReservationException("The store of the claims failed: " + e.getMessage(), e);
        }
    }

    private static ReservationException inTransaction(StoreException e) {
        return e.kind() == Kind.CONTENTION
                ? new TransactionRetryException(
                        "Roll the transaction back and retry it, because of another transaction: " + e.getMessage(), e)
                : new ReservationException("Roll the transaction back: " + e.getMessage(), e);
    }

    /**
     * Makes a change. After a call whose reply was lost, the change may be made already, and the next call is refused because of it.
     *
     * @param made whether the claim that is there is as this change leaves it
     */
    ClaimChange change(Retries.Call<ClaimChange> call, Predicate<StoredClaim> made) {
        AtomicBoolean inDoubt = new AtomicBoolean();
        return ask(() -> {
            boolean mayBeMade = inDoubt.get();
            inDoubt.set(true);
            try {
                ClaimChange change = call.run();
                return mayBeMade ? resolved(change, made) : change;
            } catch (StoreException e) {
                inDoubt.set(mayBeMade || e.kind() == Kind.OUTCOME_UNKNOWN);
                throw e;
            }
        });
    }

    private static ClaimChange resolved(ClaimChange change, Predicate<StoredClaim> made) {
        Optional<Claim> ours = change instanceof ClaimChange.Refused refused
                ? refused.found().filter(made).map(StoredClaim::claim)
                : Optional.empty();
        return ours.isPresent()
                ? new ClaimChange.Done(changedAt(ours.get()), Optional.of(ours.get().type()))
                : change;
    }

    private static Instant changedAt(Claim claim) {
        return (claim.status() == ClaimStatus.CONFIRMED ? claim.confirmedAt() : claim.releasedAt()).orElseThrow();
    }
}
