// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.jdbc.lock.SqlStatement.Values;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.StoreException;
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
 *   <li>The key is upserted, if nobody waits for it. On PostgreSQL it is updated, if the manager has had it before. If it was
 *       not granted, a longer upsert follows that knows of turns, and lines up a node that waits. It costs the database more.
 *   <li>Where no upsert tells who won, the key is updated, and inserted if it has no row. A refused node that waits then
 *       looks what is in the way, and lines up.
 *   <li>A node that asks again only because some time has passed looks first: a read costs less than a write in vain.
 * </ol>
 */
final class RowAcquisition {

    private final SqlSession session;
    private final LockStatements statements;
    private final Dialect dialect;
    private final AcquireRequest request;
    private final LockTimeouts locked;
    private final KnownRows granted;
    private final String key;
    private final Values values;
    private boolean rowIsLocked;

    /** Whether nodes are known to be in line: then a statement that knows of no turns would be in vain. */
    private boolean turns;

    RowAcquisition(SqlSession session, AcquireRequest request, LockTimeouts locked, KnownRows granted, boolean turns) {
        this.session = session;
        this.statements = session.statements();
        this.dialect = session.dialect();
        this.request = request;
        this.locked = locked;
        this.granted = granted;
        this.turns = turns;
        this.key = request.lease().key();
        this.values = Values.of(key, request.lease().holder(), SqlValues.micros(request.leaseTime()))
                .withNode(request.node(), request.waits());
    }

    /** What keeps a node from a key: for how long, and who waits for it. */
    private record InTheWay(Duration remaining, @Nullable String waiters) {}

    Acquisition answer() throws SQLException, StoreException {
        Optional<InTheWay> inTheWay = request.polls() ? look() : Optional.empty();
        Acquisition answer = inTheWay.isPresent() ? refused(inTheWay) : taken();
        if (!rowIsLocked) {
            locked.answered(key);
        }
        if (answer instanceof Acquisition.Granted && dialect.upsert() == Dialect.Upsert.ON_CONFLICT) {
            granted.add(key);
        }
        return answer;
    }

    private Acquisition taken() throws SQLException, StoreException {
        try {
            return dialect.upsert() == Dialect.Upsert.NONE ? updatedOrInserted() : upserted();
        } catch (SQLException e) {
            return overtaken(e);
        }
    }

    private Acquisition upserted() throws SQLException {
        Optional<? extends Acquisition> answer = Optional.empty();
        if (!turns) {
            answer = granted.contains(key)
                    ? session.grant(statements.acquireRow, values)
                    : upserted(statements.acquire);
        }
        if (answer.filter(Acquisition.Granted.class::isInstance).isPresent()) {
            return answer.get();
        }
        answer = upserted(statements.acquireInTurn);
        return answer.isPresent() ? answer.get() : refused();
    }

    /** Returns what the upsert says; empty if that is nothing but "no". */
    private Optional<Acquisition> upserted(SqlStatement sql) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                if (row.getBoolean("granted")) {
                    return Optional.of(new Acquisition.Granted(SqlValues.fence(row)));
                }
                return Optional.of(new Acquisition.Refused(
                        SqlValues.duration(row, "remaining"),
                        WaitersColumn.contains(row.getString("waiters"), request.node())));
            }
        }
    }

    private Acquisition updatedOrInserted() throws SQLException {
        Optional<Acquisition.Granted> granted = session.grant(statements.acquire, values);
        if (granted.isEmpty()) {
            granted = inserted();
        }
        return granted.isPresent() ? granted.get() : refused();
    }

    /** Inserts the key; empty if it has a row, which somebody else holds or was faster to make. */
    private Optional<Acquisition.Granted> inserted() throws SQLException {
        try {
            return session.grant(statements.insert, values);
        } catch (SQLException e) {
            if (!dialect.isDuplicateKey(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Looks who was faster when the statement was undone because of a race. Above READ COMMITTED that is what PostgreSQL
     * says to whoever meets somebody else at the row; on a busy key more often than the core would try again.
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
        if (WaitersColumn.contains(inTheWay.waiters, request.node())) {
            return new Acquisition.Refused(inTheWay.remaining, true);
        }
        if (!request.waits() || !WaitersColumn.hasRoom(inTheWay.waiters)) {
            return new Acquisition.Refused(inTheWay.remaining, false);
        }
        return linedUp()
                ? new Acquisition.Refused(inTheWay.remaining, true)
                : new Acquisition.Refused(Duration.ZERO, false);
    }

    /** Lines the node up; false if the row was changed meanwhile, also by somebody whom the statement met. */
    private boolean linedUp() throws SQLException {
        try {
            return session.execute(statements.lineUp, values);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e, dialect) != StoreException.Kind.CONTENTION) {
                throw e;
            }
            return false;
        }
    }

    /** Looks what is in the way of the node: a lease, or that the key is kept for another node. */
    private Optional<InTheWay> look() throws SQLException {
        SqlStatement sql = statements.look;
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String waiters = row.getString("waiters");
                turns = waiters != null;
                Duration remaining = SqlValues.duration(row, "remaining");
                if (remaining.isZero() && waiters != null && !WaitersColumn.isFirst(waiters, request.node())) {
                    remaining = SqlValues.duration(row, "reserved");
                }
                return remaining.isZero() ? Optional.empty() : Optional.of(new InTheWay(remaining, waiters));
            }
        }
    }
}
