// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ExtendResult;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Purger;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.claim.ClaimMeters.Count;
import com.github.reservation.store.PurgingStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Claims on any store.
 *
 * <ol>
 *   <li>A call checks its arguments; what breaks a rule is answered without the store.
 *   <li>{@code reserve} draws a token and sends it along. If the reply gets lost, the same request is sent again, and the store
 *       recognises it by the token.
 *   <li>{@code confirm}, {@code release} and {@code extend} change the claim of a token, in one statement. If that changed nothing, the
 *       store returns the claim that is there, and its state says why. If an earlier reply got lost, that state may be what the call
 *       wanted: then it has succeeded.
 *   <li>After the commit, meters and listeners learn of it.
 * </ol>
 */
public final class StoreClaims implements Claims {

    private final ClaimStore store;
    private final ClaimCalls calls;
    private final ClaimRules rules;
    private final ClaimReports reports;
    private final Runnable endPurge;

    private StoreClaims(
            ClaimStore store, ClaimCalls calls, ClaimRules rules, ClaimReports reports, Runnable endPurge) {
        this.store = store;
        this.calls = calls;
        this.rules = rules;
        this.reports = reports;
        this.endPurge = endPurge;
    }

    /** Returns claims in transactions of their own. */
    public static Claims open(
            ClaimStore store, Ticker ticker, Map<String, UnaryOperator<String>> normalizers, ClaimMeters meters) {
        return new StoreClaims(
                store,
                ClaimCalls.ofItsOwn(new Retries(ticker, "claims", meters::storeError)),
                new ClaimRules(normalizers),
                new ClaimReports(meters, ticker),
                store instanceof PurgingStore purging ? Purger.add(purging, ticker) : () -> {});
    }

    @Override
    public Claims in(Connection connection) {
        return in(connection, Optional.empty());
    }

    @Override
    public Claims in(Connection connection, Executor afterCommit) {
        return in(connection, Optional.of(Objects.requireNonNull(afterCommit, "afterCommit must not be null")));
    }

    private Claims in(Connection connection, Optional<Executor> afterCommit) {
        Objects.requireNonNull(connection, "connection must not be null");
        if (!(store instanceof TransactionalClaimStore transactional)) {
            throw new UnsupportedOperationException("The store of the claims cannot join a transaction: "
                    + store.getClass().getName() + " is no TransactionalClaimStore");
        }
        ClaimRules.requireTransaction(connection);
        return new StoreClaims(
                transactional.in(connection),
                ClaimCalls.inTransaction(),
                rules,
                reports.inTransaction(afterCommit),
                () -> {});
    }

    @Override
    public ReserveResult reserve(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, @Nullable String correlationId) {
        if (correlationId != null) {
            ReservationKeyBuilder.requireValidHolder("correlationId", correlationId);
        }
        return reports.timed(
                "reserve", () -> reserve(type, value, ttl, correlationId, false), ReserveResult::status);
    }

    @Override
    public ReserveResult reserveIdempotent(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, String correlationId) {
        ReservationKeyBuilder.requireValidHolder("correlationId", correlationId);
        return reports.timed(
                "reserve", () -> reserve(type, value, ttl, correlationId, true), ReserveResult::status);
    }

    /** Reserves a value; with {@code idempotent}, the claim of the same correlation id counts as reserved by this call. */
    private ReserveResult reserve(
            @Nullable String type,
            @Nullable String value,
            @Nullable Duration ttl,
            @Nullable String correlationId,
            boolean idempotent) {
        Optional<ClaimRules.Broken> wrongTtl = ClaimRules.check(ttl);
        if (ttl == null || wrongTtl.isPresent()) {
            return failure(wrongTtl.orElseThrow());
        }
        return switch (rules.check(type, value)) {
            case ClaimRules.Broken broken -> failure(broken);
            case ClaimRules.Kept(ClaimKey key) -> reserve(key.newClaim(ttl, correlationId), idempotent);
        };
    }

    private static ReserveResult failure(ClaimRules.Broken broken) {
        return new ReserveResult.Failure(broken.code(), broken.message());
    }

    private ReserveResult reserve(NewClaim wanted, boolean idempotent) {
        switch (calls.ask(() -> store.reserve(wanted))) {
            case ReserveOutcome.Granted granted -> {
                if (reports.areWanted()) {
                    ClaimEvents.of(wanted, granted).forEach(reports::changed);
                }
                return ClaimAnswers.reserved(wanted, granted);
            }
            case ReserveOutcome.Refused refused when idempotent && isOwn(wanted, refused) -> {
                return ClaimAnswers.reservedBefore(wanted, refused);
            }
            case ReserveOutcome.Refused refused -> {
                reports.count(Count.CONFLICTS, wanted.type());
                return ClaimAnswers.conflict(wanted, refused);
            }
        }
    }

    private static boolean isOwn(NewClaim wanted, ReserveOutcome.Refused there) {
        return there.status() == ClaimStatus.RESERVED
                && there.correlationId().filter(id -> id.equals(wanted.correlationId())).isPresent();
    }

    @Override
    public ConfirmResult confirm(String reservationId, ClaimToken token, String entityId) {
        return confirm(ClaimRules.guarded(reservationId, token), entityId);
    }

    @Override
    public ConfirmResult confirm(String reservationId, String entityId) {
        return confirm(ClaimRules.unguarded(reservationId), entityId);
    }

    private ConfirmResult confirm(ClaimRef claim, String entityId) {
        ReservationKeyBuilder.requireValidHolder("entityId", entityId);
        String id = claim.reservationId();
        return reports.timed("confirm", () -> switch (calls.change(
                () -> store.confirm(claim, entityId), stored -> isConfirmed(claim, entityId, stored))) {
            case ClaimChange.Done done -> {
                report(id, done, type -> new ClaimConfirmed(id, type, entityId, done.at()));
                yield new ConfirmResult.Success(id, entityId, done.at());
            }
            case ClaimChange.Refused(Optional<StoredClaim> found) -> ClaimAnswers.notConfirmed(claim, found);
        }, ConfirmResult::status);
    }

    private static boolean isConfirmed(ClaimRef claim, String entityId, StoredClaim stored) {
        return claim.admits(stored.token())
                && stored.claim().status() == ClaimStatus.CONFIRMED
                && stored.claim().entityId().filter(entityId::equals).isPresent();
    }

    @Override
    public ReleaseResult release(String reservationId, ClaimToken token) {
        return release(ClaimRules.guarded(reservationId, token));
    }

    @Override
    public ReleaseResult release(String reservationId) {
        return release(ClaimRules.unguarded(reservationId));
    }

    private ReleaseResult release(ClaimRef claim) {
        return reports.timed("release", () -> switch (calls.change(
                () -> store.release(claim),
                stored -> claim.admits(stored.token()) && stored.claim().status() == ClaimStatus.RELEASED)) {
            case ClaimChange.Done done -> released(claim, done);
            case ClaimChange.Refused(Optional<StoredClaim> found) -> ClaimAnswers.notReleased(claim, found);
        }, ReleaseResult::status);
    }

    @Override
    public ReleaseResult releaseConfirmed(String key, String entityId) {
        Objects.requireNonNull(key, "key must not be null");
        ReservationKeyBuilder.requireValidHolder("entityId", entityId);
        ClaimRef claim = new ClaimRef(rules.parse(key).reservationId(), null);
        return reports.timed("release", () -> switch (calls.change(
                () -> store.releaseConfirmed(claim.reservationId(), entityId),
                stored -> ClaimAnswers.isReleasedFor(entityId, stored))) {
            case ClaimChange.Done done -> released(claim, done);
            case ClaimChange.Refused(Optional<StoredClaim> found) -> ClaimAnswers.notReleased(claim, entityId, found);
        }, ReleaseResult::status);
    }

    private ReleaseResult released(ClaimRef claim, ClaimChange.Done done) {
        String id = claim.reservationId();
        report(id, done, type -> new ClaimReleased(id, type, done.at()));
        return new ReleaseResult.Success(id, done.at());
    }

    @Override
    public ExtendResult extend(String reservationId, ClaimToken token, @Nullable Duration ttl) {
        ClaimRef claim = ClaimRules.guarded(reservationId, token);
        Optional<ClaimRules.Broken> wrongTtl = ClaimRules.check(ttl);
        if (ttl == null || wrongTtl.isPresent()) {
            ClaimRules.Broken broken = wrongTtl.orElseThrow();
            return new ExtendResult.Failure(broken.code(), broken.message());
        }
        return reports.timed("extend", () -> switch (calls.ask(() -> store.extend(claim, ttl))) {
            case ClaimChange.Done done -> new ExtendResult.Success(claim.reservationId(), done.at());
            case ClaimChange.Refused(Optional<StoredClaim> found) -> ClaimAnswers.notExtended(claim, found);
        }, ExtendResult::status);
    }

    /** Reports a change of a claim, if a meter or a listener needs it. */
    private void report(String reservationId, ClaimChange.Done done, Function<String, ClaimEvent> event) {
        if (reports.areWanted()) {
            typeOf(reservationId, done).map(event).ifPresent(reports::changed);
        }
    }

    /** Returns the type of a claim that was changed. The change stands if the type cannot be found. */
    private Optional<String> typeOf(String reservationId, ClaimChange.Done done) {
        if (done.type().isPresent()) {
            return done.type();
        }
        try {
            return find(reservationId).map(Claim::type);
        } catch (ReservationException e) {
            Log.debug("Could not find the type of claim " + reservationId + ", so its change is not reported", e);
            return Optional.empty();
        }
    }

    @Override
    public boolean isReserved(String type, String value) {
        return find(rules.require(type, value).reservationId()).filter(Claim::isReservationActive).isPresent();
    }

    @Override
    public boolean isAvailable(String type, String value) {
        return find(rules.require(type, value).reservationId())
                .filter(claim -> claim.isReservationActive() || claim.status() == ClaimStatus.CONFIRMED)
                .isEmpty();
    }

    @Override
    public Optional<Claim> findReservation(ClaimQuery query) {
        Objects.requireNonNull(query, "query must not be null");
        Optional<Claim> found = query.reservationId().isPresent()
                ? find(ClaimRules.id(query.reservationId().get()))
                : find(rules.require(query.type().orElse(null), query.value().orElse(null)).reservationId());
        return found.filter(claim -> !query.onlyActive() || claim.isReservationActive());
    }

    @Override
    public Claim getReservation(String reservationId) {
        return find(ClaimRules.id(reservationId))
                .orElseThrow(() -> new NoSuchElementException("There is no claim of that id"));
    }

    private Optional<Claim> find(String reservationId) {
        return calls.ask(() -> store.find(reservationId)).map(StoredClaim::claim);
    }

    @Override
    public List<Claim> findByEntityId(String entityId) {
        ReservationKeyBuilder.requireValidHolder("entityId", entityId);
        return calls.ask(() -> store.findByEntity(entityId));
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() {
        Map<ClaimStatus, Long> counts = calls.ask(store::countByStatus);
        Map<ClaimStatus, Long> complete = new EnumMap<>(ClaimStatus.class);
        for (ClaimStatus status : ClaimStatus.values()) {
            complete.put(status, counts.getOrDefault(status, 0L));
        }
        return Collections.unmodifiableMap(complete);
    }

    @Override
    public Duration expirationLag() {
        return calls.ask(store::lag);
    }

    @Override
    public int expireReservations(int batchSize) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize must be at least 1, but is " + batchSize);
        }
        List<ClaimExpired> over = reports.timed(
                "expire", () -> calls.ask(() -> store.expire(batchSize)), claims -> "success");
        over.forEach(reports::changed);
        return over.size();
    }

    @Override
    public Registration onEvent(ClaimListener listener) {
        return reports.add(listener);
    }

    @Override
    public void close() {
        endPurge.run();
    }
}
