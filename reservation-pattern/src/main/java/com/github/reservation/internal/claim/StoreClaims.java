// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimErrorCode;
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
import com.github.reservation.claim.store.StoredClaim;
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
import java.util.regex.Pattern;
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

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    /** Sent in place of an id or a token that no claim can have: the text itself may be more than a database takes. */
    private static final String NOTHING = "-";

    private final ClaimStore store;
    private final ClaimCalls calls;
    private final ClaimRules rules;
    private final ClaimReports reports;
    private final Reserver reserver;
    private final Runnable endPurge;

    private StoreClaims(
            ClaimStore store, ClaimCalls calls, ClaimRules rules, ClaimReports reports, Runnable endPurge) {
        this.store = store;
        this.calls = calls;
        this.rules = rules;
        this.reports = reports;
        this.reserver = new Reserver(store, calls, rules, reports);
        this.endPurge = endPurge;
    }

    /** Returns claims in transactions of their own. */
    public static Claims open(ClaimStore store, Ticker ticker, Normalizers normalizers, ClaimMeters meters) {
        return new StoreClaims(
                store,
                ClaimCalls.ofItsOwn(new Retries(ticker, "claims", failure -> {})),
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
        return new StoreClaims(
                CallersTransaction.join(store, connection),
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
                "reserve", () -> reserver.reserve(type, value, ttl, correlationId, false), ReserveResult::status);
    }

    @Override
    public ReserveResult reserveIdempotent(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, String correlationId) {
        ReservationKeyBuilder.requireValidHolder("correlationId", correlationId);
        return reports.timed(
                "reserve", () -> reserver.reserve(type, value, ttl, correlationId, true), ReserveResult::status);
    }

    @Override
    public ConfirmResult confirm(String reservationId, ClaimToken token, String entityId) {
        return confirm(ref(reservationId, token), entityId);
    }

    @Override
    public ConfirmResult confirm(String reservationId, String entityId) {
        return confirm(unguarded(reservationId), entityId);
    }

    private ConfirmResult confirm(ClaimRef claim, String entityId) {
        ReservationKeyBuilder.requireValidHolder("entityId", entityId);
        return reports.timed("confirm", () -> {
            ClaimChange change = calls.change(
                    () -> store.confirm(claim, entityId), stored -> isConfirmed(claim, entityId, stored));
            return switch (change) {
                case ClaimChange.Done done -> confirmed(claim, entityId, done);
                case ClaimChange.Refused refused -> notConfirmed(claim, refused.found());
            };
        }, ConfirmResult::status);
    }

    private static boolean isConfirmed(ClaimRef claim, String entityId, StoredClaim stored) {
        return claim.admits(stored.token())
                && stored.claim().status() == ClaimStatus.CONFIRMED
                && stored.claim().entityId().filter(entityId::equals).isPresent();
    }

    private ConfirmResult confirmed(ClaimRef claim, String entityId, ClaimChange.Done done) {
        typeOf(claim, done).ifPresent(type -> {
            reports.count(Count.CONFIRMED, type);
            reports.publish(() -> new ClaimConfirmed(claim.reservationId(), type, entityId, done.at()));
        });
        return new ConfirmResult.Success(claim.reservationId(), entityId, done.at());
    }

    private static ConfirmResult notConfirmed(ClaimRef claim, Optional<StoredClaim> found) {
        ClaimErrorCode code = Refusals.code(claim, found);
        return new ConfirmResult.Failure(
                code,
                Refusals.message(code, claim.reservationId()),
                found.filter(stored -> claim.admits(stored.token())).flatMap(stored -> stored.claim().entityId()));
    }

    @Override
    public ReleaseResult release(String reservationId, ClaimToken token) {
        return release(ref(reservationId, token));
    }

    @Override
    public ReleaseResult release(String reservationId) {
        return release(unguarded(reservationId));
    }

    private ReleaseResult release(ClaimRef claim) {
        return reports.timed("release", () -> {
            ClaimChange change = calls.change(
                    () -> store.release(claim),
                    stored -> claim.admits(stored.token()) && stored.claim().status() == ClaimStatus.RELEASED);
            return switch (change) {
                case ClaimChange.Done done -> released(claim, done);
                case ClaimChange.Refused refused -> notReleased(claim, Refusals.code(claim, refused.found()));
            };
        }, ReleaseResult::status);
    }

    @Override
    public ReleaseResult releaseConfirmed(String key, String entityId) {
        Objects.requireNonNull(key, "key must not be null");
        ReservationKeyBuilder.requireValidHolder("entityId", entityId);
        ClaimRef claim = new ClaimRef(rules.parse(key).reservationId(), null);
        return reports.timed("release", () -> {
            ClaimChange change = calls.change(
                    () -> store.releaseConfirmed(claim.reservationId(), entityId),
                    stored -> Refusals.isReleasedFor(entityId, stored));
            return switch (change) {
                case ClaimChange.Done done -> released(claim, done);
                case ClaimChange.Refused refused ->
                    notReleased(claim, Refusals.codeOfConfirmed(entityId, refused.found()));
            };
        }, ReleaseResult::status);
    }

    private ReleaseResult released(ClaimRef claim, ClaimChange.Done done) {
        typeOf(claim, done).ifPresent(type -> {
            reports.count(Count.RELEASED, type);
            reports.publish(() -> new ClaimReleased(claim.reservationId(), type, done.at()));
        });
        return new ReleaseResult.Success(claim.reservationId(), done.at());
    }

    private static ReleaseResult notReleased(ClaimRef claim, ClaimErrorCode code) {
        return new ReleaseResult.Failure(code, Refusals.message(code, claim.reservationId()));
    }

    @Override
    public ExtendResult extend(String reservationId, ClaimToken token, @Nullable Duration ttl) {
        ClaimRef claim = ref(reservationId, token);
        Optional<ClaimRules.Broken> wrongTtl = ClaimRules.check(ttl);
        if (ttl == null || wrongTtl.isPresent()) {
            ClaimRules.Broken broken = wrongTtl.orElseThrow();
            return new ExtendResult.Failure(broken.code(), broken.message());
        }
        return reports.timed("extend", () -> switch (calls.ask(() -> store.extend(claim, ttl))) {
            case ClaimChange.Done done -> new ExtendResult.Success(claim.reservationId(), done.at());
            case ClaimChange.Refused refused -> notExtended(claim, Refusals.code(claim, refused.found()));
        }, ExtendResult::status);
    }

    private static ExtendResult notExtended(ClaimRef claim, ClaimErrorCode code) {
        return new ExtendResult.Failure(code, Refusals.message(code, claim.reservationId()));
    }

    private static ClaimRef ref(String reservationId, ClaimToken token) {
        String text = Objects.requireNonNull(token, "token must not be null").value();
        return new ClaimRef(knownForm(reservationId), TOKEN.matcher(text).matches() ? text : NOTHING);
    }

    private static ClaimRef unguarded(String reservationId) {
        return new ClaimRef(knownForm(reservationId), null);
    }

    private static String knownForm(String reservationId) {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
        return ClaimKey.isId(reservationId) ? reservationId : NOTHING;
    }

    /** Returns the type of a claim that was changed, if a meter or a listener needs it. The change stands if the type cannot be found. */
    private Optional<String> typeOf(ClaimRef claim, ClaimChange.Done done) {
        if (done.type().isPresent() || !reports.areWanted()) {
            return done.type();
        }
        try {
            return calls.ask(() -> store.find(claim.reservationId())).map(stored -> stored.claim().type());
        } catch (ReservationException e) {
            Log.debug("Could not find the type of claim " + claim.reservationId() + ", so its change is not reported",
                    e);
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
                ? find(knownForm(query.reservationId().get()))
                : find(rules.require(query.type().orElse(null), query.value().orElse(null)).reservationId());
        return found.filter(claim -> !query.onlyActive() || claim.isReservationActive());
    }

    @Override
    public Claim getReservation(String reservationId) {
        return find(knownForm(reservationId))
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
        over.forEach(reports::expired);
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
