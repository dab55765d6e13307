// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps claims, one for each id. The store's clock decides what is over: a claim whose end is now or earlier.
 *
 * <p>Each method does one thing and returns what became of it. It neither retries nor waits, knows no listeners and no meters.
 */
public interface ClaimStore {

    /**
     * Makes a claim, if the one before was released or is over. A claim that has the token of the request already is the same
     * request, whose reply was lost: it is granted.
     */
    ReserveOutcome reserve(NewClaim wanted) throws StoreException;

    /** Confirms a claim that is active. */
    ClaimChange confirm(ClaimRef claim, String entityId) throws StoreException;

    /** Releases a claim that is active. */
    ClaimChange release(ClaimRef claim) throws StoreException;

    /** Lets a claim that is active end later, never earlier. */
    ClaimChange extend(ClaimRef claim, Duration ttl) throws StoreException;

    /** Releases a claim that is confirmed for this entity. */
    ClaimChange releaseConfirmed(String reservationId, String entityId) throws StoreException;

    Optional<StoredClaim> find(String reservationId) throws StoreException;

    /** Returns the confirmed claims of an entity. */
    List<Claim> findByEntity(String entityId) throws StoreException;

    /** Returns how many claims have each status; one that is over is expired, marked or not. */
    Map<ClaimStatus, Long> countByStatus() throws StoreException;

    /** Returns the counts of the rows, with 0 for each status that no row has. */
    static Map<ClaimStatus, Long> complete(Map<ClaimStatus, Long> counts) {
        Map<ClaimStatus, Long> complete = new EnumMap<>(ClaimStatus.class);
        for (ClaimStatus status : ClaimStatus.values()) {
            complete.put(status, counts.getOrDefault(status, 0L));
        }
        return Collections.unmodifiableMap(complete);
    }

    /** Returns for how long the oldest claim that is over has not been marked; zero if all are. */
    Duration lag() throws StoreException;

    /** Marks claims that are over as expired; returns their ends, at most {@code limit}. */
    List<ClaimExpired> expire(int limit) throws StoreException;

    /** Returns the same store inside a transaction, if it has transactions; else itself. */
    ClaimStore in(Connection connection);
}
