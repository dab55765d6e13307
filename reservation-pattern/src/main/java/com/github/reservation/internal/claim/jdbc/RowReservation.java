// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange.Done;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.internal.claim.jdbc.ClaimRows.Owner;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Reserves a value: with one statement if it is new.
 *
 * <ol>
 *   <li>An insert decides about a new value: the primary key lets one succeed. On PostgreSQL the same statement looks for an owner first.
 *   <li>Else the owner is read. It has the value, unless its claim was released or is over.
 *   <li>An update gives a free value to the new owner, if the row still has the version that was read.
 * </ol>
 *
 * If another call was faster, it starts again.
 */
final class RowReservation {

    private final ClaimSession session;
    private final NewClaim wanted;
    private final Params params;

    RowReservation(ClaimSession session, NewClaim wanted) {
        this.session = session;
        this.wanted = wanted;
        this.params = Params.of(
                "id", wanted.reservationId(),
                "key", wanted.key(),
                "type", wanted.type(),
                "value", wanted.value(),
                "correlation", wanted.correlationId(),
                "token", wanted.token(),
                "micros", wanted.ttl());
    }

    ReserveOutcome execute() throws SQLException, StoreException {
        boolean seen = false;
        for (int i = 0; i < ClaimSession.ATTEMPTS; i++) {
            Optional<Owner> owner = insert();
            if (owner.isEmpty()) {
                owner = session.sql().queryOne(session.statements().look, params, Owner::of);
            }
            seen |= owner.isPresent();
            Optional<ReserveOutcome> outcome = owner.isPresent() ? decide(owner.get()) : Optional.empty();
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        throw seen || seesOldRows()
                ? ClaimSession.changesAllTheTime(wanted.reservationId())
                : new StoreException(
                        Kind.MISCONFIGURED,
                        "Another row has the claim_key of claim " + wanted.reservationId()
                                + ": the column must be compared byte by byte, and its character set must have all characters");
    }

    /** Returns whether the row may be newer than what the transaction sees: a caller's can be above READ COMMITTED. */
    private boolean seesOldRows() throws SQLException {
        return session.statements().callers
                && session.sql().connection().getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Inserts the value; returns the owner if the statement says who that is. */
    private Optional<Owner> insert() throws SQLException {
        ClaimUpdate insert = session.statements().insert;
        try {
            return switch (session.statements().returning) {
                case ROW -> session.sql().queryOne(insert.sql(), params, Owner::of);
                case NUMBER, COLUMN -> session.update(insert, wanted.reservationId(), params).map(this::inserted);
                case NOTHING -> {
                    session.sql().execute(insert.sql(), params);
                    yield Optional.empty();
                }
            };
        } catch (SQLException e) {
            if (session.sql().dialect().isDuplicateKey(e)) {
                return Optional.empty();
            }
            throw Redaction.of(e, wanted);
        }
    }

    private Owner inserted(Done done) {
        return new Owner(
                ClaimStatus.RESERVED,
                done.at(),
                wanted.ttl(),
                Optional.ofNullable(wanted.correlationId()),
                wanted.token(),
                1);
    }

    /** Returns who has the value; empty if that changed meanwhile. */
    private Optional<ReserveOutcome> decide(Owner owner) throws SQLException {
        boolean ours = owner.token().equals(wanted.token()); // The reply to an earlier request of this call got lost.
        if (owner.isFree()) {
            return session
                    .update(
                            session.statements().take,
                            wanted.reservationId(),
                            params.and("version", owner.version()))
                    .map(done -> new ReserveOutcome.Granted(
                            done.at(), owner.version() + 1, ours ? Optional.empty() : lapsed(owner)));
        }
        return Optional.of(ours && owner.status() == ClaimStatus.RESERVED
                ? new ReserveOutcome.Granted(owner.expiresAt(), owner.version(), Optional.empty())
                : new ReserveOutcome.Refused(
                        owner.status(), owner.expiresAt(), owner.correlationId(), owner.token(), owner.version()));
    }

    private static Optional<ReserveOutcome.Lapsed> lapsed(Owner owner) {
        return owner.isOver()
                ? Optional.of(new ReserveOutcome.Lapsed(owner.expiresAt(), owner.correlationId()))
                : Optional.empty();
    }
}
