// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.internal.base.RandomHex;
import com.github.reservation.internal.claim.ClaimMeters.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reserves values: checks them, draws a token for each, and says what became of it. */
final class Reserver {

    private static final int TOKEN_BYTES = 16;

    private final ClaimStore store;
    private final ClaimCalls calls;
    private final ClaimRules rules;
    private final ClaimReports reports;

    Reserver(ClaimStore store, ClaimCalls calls, ClaimRules rules, ClaimReports reports) {
        this.store = store;
        this.calls = calls;
        this.rules = rules;
        this.reports = reports;
    }

    /** Reserves a value; with {@code idempotent}, the claim of the same correlation id counts as reserved by this call. */
    ReserveResult reserve(
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
            case ClaimRules.Kept kept -> reserve(kept.key(), ttl, correlationId, idempotent);
        };
    }

    private static ReserveResult failure(ClaimRules.Broken broken) {
        return new ReserveResult.Failure(broken.code(), broken.message());
    }

    private ReserveResult reserve(ClaimKey key, Duration ttl, @Nullable String correlationId, boolean idempotent) {
        NewClaim wanted = new NewClaim(
                key.reservationId(), key.type(), key.value(), ttl, correlationId, RandomHex.of(TOKEN_BYTES));
        return switch (calls.ask(() -> store.reserve(wanted))) {
            case ReserveOutcome.Granted granted -> reserved(wanted, granted);
            case ReserveOutcome.Refused refused -> idempotent && isOwn(wanted, refused)
                    ? success(wanted, refused.expiresAt(), refused.version(), refused.token(), true)
                    : conflict(wanted, refused);
        };
    }

    private static boolean isOwn(NewClaim wanted, ReserveOutcome.Refused there) {
        return there.status() == ClaimStatus.RESERVED
                && there.correlationId().filter(id -> id.equals(wanted.correlationId())).isPresent();
    }

    private static ReserveResult success(
            NewClaim wanted, Instant expiresAt, long version, String token, boolean existing) {
        return new ReserveResult.Success(
                wanted.reservationId(), wanted.key(), expiresAt, version, new ClaimToken(token), existing);
    }

    private ReserveResult reserved(NewClaim wanted, ReserveOutcome.Granted granted) {
        granted.lapsed().ifPresent(lapsed -> reports.expired(endOf(wanted, lapsed)));
        reports.count(Count.RESERVED, wanted.type());
        reports.publish(() -> eventOf(wanted, granted));
        return success(wanted, granted.expiresAt(), granted.version(), wanted.token(), false);
    }

    static ClaimExpired endOf(NewClaim wanted, ReserveOutcome.Lapsed lapsed) {
        return new ClaimExpired(
                wanted.reservationId(), wanted.type(), wanted.key(), lapsed.correlationId(), lapsed.expiredAt());
    }

    static ClaimReserved eventOf(NewClaim wanted, ReserveOutcome.Granted granted) {
        return new ClaimReserved(
                wanted.reservationId(),
                wanted.type(),
                wanted.key(),
                Optional.ofNullable(wanted.correlationId()),
                granted.expiresAt().minus(wanted.ttl()),
                granted.expiresAt());
    }

    private ReserveResult conflict(NewClaim wanted, ReserveOutcome.Refused refused) {
        reports.count(Count.CONFLICTS, wanted.type());
        return new ReserveResult.Conflict(
                wanted.reservationId(),
                refused.status() == ClaimStatus.RESERVED ? Optional.of(refused.expiresAt()) : Optional.empty(),
                refused.status());
    }
}
