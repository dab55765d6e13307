// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.store.StoreException;
import com.github.reservation.torture.planted.Passed;
import com.github.reservation.torture.planted.Planted;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A store of claims with one of the planted bugs in front of it. */
final class BrokenClaimStore {

    private static final Duration TOO_EARLY = Duration.ofMillis(500);

    private final Planted bug;
    private final TransactionalClaimStore store;
    private final DataSource dataSource;

    private BrokenClaimStore(Planted bug, TransactionalClaimStore store, DataSource dataSource) {
        this.bug = bug;
        this.store = store;
        this.dataSource = dataSource;
    }

    static TransactionalClaimStore with(Planted bug, TransactionalClaimStore store, DataSource dataSource) {
        BrokenClaimStore broken = new BrokenClaimStore(bug, store, dataSource);
        return (TransactionalClaimStore) Proxy.newProxyInstance(
                TransactionalClaimStore.class.getClassLoader(), new Class<?>[]{TransactionalClaimStore.class},
                (proxy, method, arguments) -> broken.call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        return switch (bug) {
            case CLAIM_RELEASED_BY_ANYBODY -> method.getName().equals("release")
                    ? store.release(new ClaimRef(((ClaimRef) arguments[0]).reservationId(), null))
                    : passed(method, arguments);
            case CLAIM_CONFIRMED_AFTER_ITS_END -> method.getName().equals("confirm")
                    ? confirmedLate((ClaimRef) arguments[0], (String) arguments[1])
                    : passed(method, arguments);
            case CLAIM_EXTENDED_AFTER_ITS_END -> method.getName().equals("extend")
                    ? extendedLate((ClaimRef) arguments[0], (Duration) arguments[1])
                    : passed(method, arguments);
            case CLAIM_RESERVED_TWICE, CLAIM_TAKEN_OVER_TOO_EARLY, CLAIM_TOKEN_OF_ANOTHER, CLAIM_VERSION_STANDS_STILL ->
                method.getName().equals("reserve") ? reserved((NewClaim) arguments[0]) : passed(method, arguments);
            case CLAIM_CONFIRMATION_FORGOTTEN -> method.getName().equals("confirm")
                    ? confirmedInVain((ClaimRef) arguments[0])
                    : passed(method, arguments);
            case CLAIM_SWEEP_TAKES_CONFIRMED, CLAIM_END_TOLD_TWICE -> method.getName().equals("expire")
                    ? swept((Integer) arguments[0])
                    : passed(method, arguments);
            default -> passed(method, arguments);
        };
    }

    private Object passed(Method method, Object[] arguments) throws Throwable {
        return Passed.to(store, method, arguments);
    }

    private ReserveOutcome reserved(NewClaim wanted) throws StoreException, SQLException {
        ReserveOutcome outcome = store.reserve(wanted);
        if (outcome instanceof ReserveOutcome.Granted granted && bug == Planted.CLAIM_VERSION_STANDS_STILL) {
            return new ReserveOutcome.Granted(granted.expiresAt(), 1, granted.lapsed());
        }
        if (!(outcome instanceof ReserveOutcome.Refused refused) || refused.status() != ClaimStatus.RESERVED) {
            return outcome;
        }
        return switch (bug) {
            case CLAIM_RESERVED_TWICE -> execute(
                    "UPDATE RESERVATION_CLAIMS SET token = ?, version = version + 1 WHERE reservation_id = ?",
                    wanted.token(), wanted.reservationId()) == 1
                            ? new ReserveOutcome.Granted(
                                    refused.expiresAt(), refused.version() + 1, Optional.empty())
                            : outcome;
            case CLAIM_TAKEN_OVER_TOO_EARLY -> store.find(wanted.reservationId())
                    .filter(there -> there.claim().remainingTtl().compareTo(TOO_EARLY) < 0).isPresent()
                            ? takenOver(wanted)
                            : outcome;
            case CLAIM_TOKEN_OF_ANOTHER -> new ReserveOutcome.Refused(
                    refused.status(), refused.expiresAt(), Optional.ofNullable(wanted.correlationId()),
                    refused.token(), refused.version());
            default -> outcome;
        };
    }

    private ReserveOutcome takenOver(NewClaim wanted) throws StoreException {
        store.release(new ClaimRef(wanted.reservationId(), null));
        return store.reserve(wanted);
    }

    private ClaimChange confirmedLate(ClaimRef claim, String entity) throws StoreException, SQLException {
        ClaimChange change = store.confirm(claim, entity);
        return isRefusedBecauseItIsOver(change, claim) && execute(
                "UPDATE RESERVATION_CLAIMS SET status = 'confirmed', entity_id = ?, confirmed_at = updated_at,"
                        + " version = version + 1 WHERE reservation_id = ? AND token = ?",
                entity, claim.reservationId(), claim.token()) == 1
                        ? new ClaimChange.Done(Instant.now(), Optional.empty())
                        : change;
    }

    private ClaimChange extendedLate(ClaimRef claim, Duration ttl) throws StoreException, SQLException {
        ClaimChange change = store.extend(claim, ttl);
        if (!isRefusedBecauseItIsOver(change, claim)) {
            return change;
        }
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialects.of(connection);
            execute(
                    "UPDATE RESERVATION_CLAIMS SET status = 'reserved', expires_at = "
                            + dialect.nowPlus(String.valueOf(ttl.toNanos() / 1_000))
                            + ", version = version + 1 WHERE reservation_id = ? AND token = ?",
                    claim.reservationId(), claim.token());
        }
        return store.find(claim.reservationId())
                .<ClaimChange>map(stored -> new ClaimChange.Done(stored.claim().expiresAt(), Optional.empty()))
                .orElse(change);
    }

    private static boolean isRefusedBecauseItIsOver(ClaimChange change, ClaimRef claim) {
        return change instanceof ClaimChange.Refused(Optional<StoredClaim> found)
                && found.filter(stored -> claim.admits(stored.token())
                        && stored.claim().status() == ClaimStatus.EXPIRED).isPresent();
    }

    private ClaimChange confirmedInVain(ClaimRef claim) throws StoreException {
        Optional<StoredClaim> found = store.find(claim.reservationId());
        return found.filter(stored -> claim.admits(stored.token()) && stored.claim().isReservationActive()).isPresent()
                ? new ClaimChange.Done(Instant.now(), Optional.empty())
                : new ClaimChange.Refused(found);
    }

    private List<ClaimExpired> swept(int limit) throws StoreException, SQLException {
        List<ClaimExpired> ends = store.expire(limit);
        if (bug == Planted.CLAIM_SWEEP_TAKES_CONFIRMED) {
            execute("UPDATE RESERVATION_CLAIMS SET status = 'expired', version = version + 1 WHERE status = 'confirmed'");
            return ends;
        }
        return Stream.concat(ends.stream(), ends.stream()).toList();
    }

    private int execute(String sql, String... values) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
