// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps claims: one for each id, with a token, a status and an end. This is all that a backend of claims must do.
 *
 * <p><b>One claim.</b> The id names a value, and a value has one claim at a time. The last one stays, also when it was released or is over,
 * until the next one replaces it or a purge removes it. A claim is <i>active</i> if it is {@link ClaimStatus#RESERVED} and its end is later
 * than now. Each method that changes a claim decides and changes in one atomic step; of calls that race, exactly one succeeds.
 *
 * <p><b>The store's clock decides</b>, inside that step. A claim whose end is now or earlier is over, whether {@link #expire} has marked it
 * or not: every answer shows it as {@link ClaimStatus#EXPIRED}. The library sends durations, and never compares its own clock with the
 * store's. An end must be exact to the microsecond, or coarser: two answers about a claim name the same end.
 *
 * <p><b>A call can arrive twice</b>, if its reply was lost. The token makes {@code reserve} recognise itself. A second {@code extend} extends
 * again. The other changes are refused the second time, with the claim as the first has left it: the library sees that this was the goal.
 *
 * <p><b>Versions.</b> The first claim of an id has version 1. Each change adds one, a new claim of the id too.
 *
 * <p>Everything else is as in {@link com.github.reservation.store.LeaseStore}: "no" is a result and {@link StoreException} means that
 * the store could not answer; a call ends in a limited time, does not wait and does not retry; many threads call at the same time; nobody
 * closes a store. Compare ids, tokens, entities and correlation ids character by character. A value may be personal data, and a token is
 * a secret: put neither into a message or a log.
 *
 * <p>A store that can join the transaction of a caller is a {@link TransactionalClaimStore}. One that must remove old claims is a
 * {@link com.github.reservation.store.PurgingStore}; it may remove claims that were released or are over, and never confirmed ones.
 */
public interface ClaimStore {

    /**
     * Makes a claim that is active for {@link NewClaim#ttl}, if the id has none, or the one that it has was released or is over. An active
     * claim with the token of the request is the same request, whose reply was lost: it is granted as it is.
     */
    ReserveOutcome reserve(NewClaim wanted) throws StoreException;

    /** Confirms the claim for an entity, if it is active and the caller's. */
    ClaimChange confirm(ClaimRef claim, String entityId) throws StoreException;

    /** Releases the claim, if it is active and the caller's. */
    ClaimChange release(ClaimRef claim) throws StoreException;

    /** Lets the claim end the given time from now, if it is active and the caller's; never earlier than it would end anyway. */
    ClaimChange extend(ClaimRef claim, Duration ttl) throws StoreException;

    /** Releases the claim, if it is confirmed for this entity. The entity stays in it, to show whose it was. */
    ClaimChange releaseConfirmed(String reservationId, String entityId) throws StoreException;

    /** Returns the last claim of the id, whatever its status. */
    Optional<StoredClaim> find(String reservationId) throws StoreException;

    /** Returns the confirmed claims of an entity, in any order. */
    List<Claim> findByEntity(String entityId) throws StoreException;

    /** Returns how many claims have each status; one that is over is expired, marked or not. A status that none has may be missing. */
    Map<ClaimStatus, Long> countByStatus() throws StoreException;

    /** Returns for how long the oldest claim that is over has not been marked; zero if all are marked. */
    Duration lag() throws StoreException;

    /**
     * Marks claims that are over as expired, each of them once, also if several nodes do so at the same time.
     *
     * @param limit how many at most; at least 1
     * @return the ends of the claims that this call has marked. A store may leave out claims that another call is changing; if it returns
     *     none, no others are left
     */
    List<ClaimExpired> expire(int limit) throws StoreException;
}
