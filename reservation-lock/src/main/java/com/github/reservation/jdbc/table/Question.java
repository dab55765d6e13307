// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.jdbc.table.Sql.Values;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a key, in one statement if nobody else wants it.
 *
 * <ol>
 *   <li>A key that had a row a moment ago is updated, if it is free and nobody waits for it.
 *   <li>Any other key is upserted; where there is no upsert, updated and then inserted. A key that is likely to be new is
 *       inserted first, where that costs less.
 *   <li>A refused node that waits lines up: in the same statement where that can tell of it, else after a look. Such a
 *       statement costs the database more, so it is sent only when others are known to want the key.
 *   <li>A node that is in line only looks, until it is called or the key looks free.
 * </ol>
 */
final class Question {

    private final Session session;
    private final Statements statements;
    private final Dialect dialect;
    private final AcquireRequest request;
    private final KnownKeys known;
    private final LockedRows locked;
    private final String key;
    private final Values values;
    private boolean rowIsLocked;

    Question(Session session, AcquireRequest request, KnownKeys known, LockedRows locked) {
        this.session = session;
        this.statements = session.statements();
        this.dialect = session.dialect();
        this.request = request;
        this.known = known;
        this.locked = locked;
        this.key = request.lease().key();
        this.values = Values.of(key, request.lease().holder(), Rows.micros(request.leaseTime()))
                .withNode(request.node(), request.waits());
    }

    /** What keeps a node from a key: for how long, and who waits for it. */
    private record InTheWay(Duration remaining, @Nullable String waiters) {}

    /** What an upsert says; {@code granted} is null if it says nothing but "no". */
    private record Upserted(Acquisition.@Nullable Granted granted, Duration remaining, @Nullable String waiters) {

        static final Upserted NOTHING = new Upserted(null, Duration.ZERO, null);
    }

    Acquisition answer() throws SQLException, StoreException {
        Optional<InTheWay> inTheWay = request.polls() ? look() : Optional.empty();
        Acquisition answer = inTheWay.isPresent() ? refused(inTheWay) : taken();
        note(answer);
        return answer;
    }

    private void note(Acquisition answer) {
        if (!rowIsLocked) {
            locked.answered(key);
        }
        if (answer instanceof Acquisition.Granted) {
            known.granted(key);
        } else {
            known.contended(key);
        }
    }

    private Acquisition taken() throws SQLException, StoreException {
        try {
            return switch (dialect.upsert()) {
                case ON_CONFLICT, ON_DUPLICATE_KEY -> upserted();
                case MERGE -> merged();
                case NONE -> updatedOrInserted();
            };
        } catch (SQLException e) {
            return overtaken(e);
        }
    }

    private Acquisition upserted() throws SQLException {
        if (known.isFree(key)) {
            Optional<Acquisition.Granted> granted = update();
            if (granted.isPresent()) {
                return granted.get();
            }
        } else if (!known.isContended(key)) {
            Upserted answer = upsert(statements.acquire);
            boolean somebodyWaits = answer.waiters != null || request.waits();
            if (answer.granted != null || !somebodyWaits) {
                return answered(answer);
            }
        }
        return answered(upsert(statements.acquireInTurn));
    }

    private Acquisition answered(Upserted answer) throws SQLException {
        if (answer.granted != null) {
            return answer.granted;
        }
        return answer.equals(Upserted.NOTHING)
                ? refused()
                : new Acquisition.Refused(answer.remaining, Waiters.contains(answer.waiters, request.node()));
    }

    private Upserted upsert(Sql sql) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Upserted.NOTHING;
                }
                return row.getBoolean("granted")
                        ? new Upserted(new Acquisition.Granted(Rows.fence(row)), Duration.ZERO, null)
                        : new Upserted(null, Rows.duration(row, "remaining"), row.getString("waiters"));
            }
        }
    }

    private Acquisition merged() throws SQLException {
        Optional<Acquisition.Granted> granted = known.isFree(key) ? update() : insertIfLikelyNew();
        if (granted.isEmpty()) {
            granted = insert(statements.acquire);
        }
        return granted.isPresent() ? granted.get() : refused();
    }

    private Acquisition updatedOrInserted() throws SQLException {
        boolean guessedFree = known.isFree(key);
        Optional<Acquisition.Granted> granted = guessedFree ? update() : insertIfLikelyNew();
        if (granted.isEmpty() && !guessedFree) {
            granted = updateInTurn();
        }
        if (granted.isPresent()) {
            return granted.get();
        }
        Optional<InTheWay> inTheWay = known.hadRow(key) ? look() : Optional.empty();
        if (inTheWay.isPresent()) {
            return refused(inTheWay);
        }
        if (guessedFree) {
            granted = updateInTurn();
        }
        if (granted.isEmpty()) {
            granted = insert(statements.insert);
        }
        return granted.isPresent() ? granted.get() : refused();
    }

    /** Also after a wrong guess one thing is known: the key has a row. */
    private Optional<Acquisition.Granted> insertIfLikelyNew() throws SQLException {
        if (!known.isLikelyNew(key)) {
            return Optional.empty();
        }
        Optional<Acquisition.Granted> granted = insert(statements.insert);
        known.wasNew(granted.isPresent());
        known.granted(key);
        return granted;
    }

    private Optional<Acquisition.Granted> update() throws SQLException {
        return session.grant(statements.update, values);
    }

    private Optional<Acquisition.Granted> updateInTurn() throws SQLException {
        return session.grant(statements.acquire, values);
    }

    /** Inserts, or merges; if two do so with the same new key at once, one of them finds the row of the other. */
    private Optional<Acquisition.Granted> insert(Sql sql) throws SQLException {
        try {
            return session.grant(sql, values);
        } catch (SQLException e) {
            if (!dialect.isDuplicateKey(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Looks who was faster when the statement was undone because of a race. Above READ COMMITTED that is what PostgreSQL
     * says to whoever meets somebody else at the row; on a busy key more often than the core would try again. If nobody was,
     * and the statement had waited for the row, somebody keeps it locked who is none of us.
     */
    private Acquisition overtaken(SQLException e) throws SQLException, StoreException {
        if (SqlFailures.kindOf(e, dialect) != StoreException.Kind.CONTENTION) {
            throw e;
        }
        Optional<InTheWay> inTheWay = look();
        if (inTheWay.isEmpty() && !request.waits()) {
            throw e; // It may well be free: not to be told as "no".
        }
        if (inTheWay.isEmpty() && dialect.isLockTimeout(e)) {
            rowIsLocked = true;
            locked.refused(key, e);
        }
        return refused(inTheWay);
    }

    /** Says how long it is worth waiting, to whoever waits. */
    private Acquisition refused() throws SQLException {
        return refused(request.waits() ? look() : Optional.empty());
    }

    /** Lines the node up if it waits; if nothing is in the way by now, it is worth asking again at once. */
    private Acquisition refused(Optional<InTheWay> found) throws SQLException {
        if (found.isEmpty()) {
            return new Acquisition.Refused(Duration.ZERO, false);
        }
        InTheWay inTheWay = found.get();
        if (Waiters.contains(inTheWay.waiters, request.node())) {
            return new Acquisition.Refused(inTheWay.remaining, true);
        }
        if (!request.waits() || !Waiters.hasRoom(inTheWay.waiters)) {
            return new Acquisition.Refused(inTheWay.remaining, false);
        }
        return session.execute(statements.lineUp, values)
                ? new Acquisition.Refused(inTheWay.remaining, true)
                : new Acquisition.Refused(Duration.ZERO, false);
    }

    /** Looks what is in the way of the node: a lease, or that the key is kept for another node. */
    private Optional<InTheWay> look() throws SQLException {
        Sql sql = statements.look;
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String waiters = row.getString("waiters");
                Duration remaining = Rows.duration(row, "remaining");
                if (remaining.isZero() && waiters != null && !Waiters.isFirst(waiters, request.node())) {
                    remaining = Rows.duration(row, "reserved");
                }
                return remaining.isZero() ? Optional.empty() : Optional.of(new InTheWay(remaining, waiters));
            }
        }
    }
}
