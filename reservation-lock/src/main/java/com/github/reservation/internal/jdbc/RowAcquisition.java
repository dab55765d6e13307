// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialect.Upsert;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlFailures;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a key: with one statement if no other node wants it.
 *
 * <ol>
 *   <li>An upsert grants the key if no node waits for it. On PostgreSQL it is an update if the manager held the key before. If it
 *       does not grant the key, a longer upsert follows that respects the queue and adds a node that waits. It costs the
 *       database more. If nodes waited when the manager last released the key, only the longer one is sent. For a
 *       node that is the first in the queue, because it was notified or has looked, PostgreSQL gets an update before it.
 *   <li>Without an upsert that reports what it did, an update grants the key, or an insert if it has no row. H2 gets the insert
 *       first if the manager did not hold the key before. A refused node that waits then looks for how long, and joins the queue.
 *   <li>A node that polls looks first: a read costs less than a write that changes nothing.
 * </ol>
 */
final class RowAcquisition {

    private final SqlSession session;
    private final AcquireStatements statements;
    private final Dialect dialect;
    private final AcquireRequest request;
    private final LockTimeouts lockTimeouts;
    private final KnownRows knownRows;
    private final String key;
    private final Params params;
    private boolean lockTimedOut;

    /** Whether nodes are known to be in the queue: then a statement that does not respect the queue is useless. */
    private boolean hasQueue;

    /** Whether the node is probably the first in the queue. */
    private boolean isFirst;

    RowAcquisition(
            SqlSession session,
            LockStatements statements,
            AcquireRequest request,
            LockTimeouts lockTimeouts,
            KnownRows knownRows,
            boolean inQueue) {
        this.session = session;
        this.statements = statements.acquiring;
        this.dialect = session.dialect();
        this.request = request;
        this.lockTimeouts = lockTimeouts;
        this.knownRows = knownRows;
        this.hasQueue = inQueue;
        this.isFirst = inQueue; // It was woken, most likely because it is its turn.
        this.key = request.lease().key();
        this.params = Params.of("key", key, "holder", request.lease().holder(), "micros", request.leaseTime());
    }

    /** For how long the key is held, or reserved for another node, how long ago its holder got it, and the nodes that wait for it. */
    private record Blocked(Duration remaining, Duration grantedAgo, @Nullable String waiters) {

        Acquisition.Refused refused(boolean queued, String node) {
            return new Acquisition.Refused(
                    remaining, queued, WaitersColumn.ahead(waiters, node), Optional.of(grantedAgo));
        }
    }

    /** Executes a statement that grants a key and returns its fence; empty if it did not grant it. */
    static Optional<Acquisition.Granted> grant(SqlSession session, SqlStatement sql, Params params)
            throws SQLException {
        return session.updateReturning(sql, params, RowAcquisition::granted, "FENCE");
    }

    /** Reads the fence, the first column. */
    private static Acquisition.Granted granted(ResultSet row) throws SQLException {
        return new Acquisition.Granted(SqlValues.number(row, 1));
    }

    Acquisition execute() throws SQLException, StoreException {
        Optional<Blocked> blocked = request.polls() ? look() : Optional.empty();
        Acquisition acquisition;
        if (blocked.isPresent()) {
            acquisition = refuse(blocked.get());
        } else {
            try {
                acquisition = dialect.upsert() == Upsert.NONE ? updateOrInsert() : upsert();
            } catch (SQLException e) {
                acquisition = afterConflict(e);
            }
        }
        if (!lockTimedOut) {
            lockTimeouts.clear(key);
        }
        if (acquisition instanceof Acquisition.Granted
                && (dialect.upsert() == Upsert.ON_CONFLICT || dialect.insertsFirst())) {
            knownRows.granted(key);
        }
        return acquisition;
    }

    private Acquisition upsert() throws SQLException {
        Optional<? extends Acquisition> acquisition = Optional.empty();
        if (!hasQueue && !knownRows.isAwaited(key)) {
            acquisition = knownRows.contains(key)
                    ? session.queryOne(statements.acquireRow, params, RowAcquisition::granted)
                    : session.queryOne(statements.acquire, params, this::acquisition);
        } else if (isFirst && dialect.upsert() == Upsert.ON_CONFLICT) {
            acquisition = session.queryOne(statements.acquireFirst, withNode(), RowAcquisition::granted);
        }
        if (acquisition.filter(Acquisition.Granted.class::isInstance).isPresent()) {
            return acquisition.get();
        }
        acquisition = session.queryOne(statements.acquireInTurn, withNode(), this::acquisition);
        return acquisition.isPresent() ? acquisition.get() : refuse();
    }

    /** Returns the values for a statement that respects the queue. Most acquisitions need none. */
    private Params withNode() {
        return params.and("node", WaitersColumn.entry(request.node()), "waits", request.waits());
    }

    /** Returns what an upsert decided. If it returns no row, that is a refusal without details. */
    private Acquisition acquisition(ResultSet row) throws SQLException {
        return row.getBoolean("granted")
                ? new Acquisition.Granted(SqlValues.number(row, "fence"))
                : refused(blocked(row, SqlValues.duration(row, "remaining")));
    }

    private Acquisition updateOrInsert() throws SQLException {
        boolean insertFirst = dialect.insertsFirst() && !knownRows.contains(key);
        Optional<Acquisition.Granted> granted = insertFirst ? insert() : grant(session, statements.acquire, withNode());
        if (granted.isEmpty()) {
            granted = insertFirst ? grant(session, statements.acquire, withNode()) : insert();
        }
        return granted.isPresent() ? granted.get() : refuse();
    }

    /** Inserts the key; empty if it has a row: another node holds it, or was faster to insert it. */
    private Optional<Acquisition.Granted> insert() throws SQLException {
        try {
            return grant(session, statements.insert, params);
        } catch (SQLException e) {
            if (!dialect.isDuplicateKey(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Looks who was faster, after the database undid the statement because of a conflict. Above READ COMMITTED, PostgreSQL undoes
     * every statement that meets another one at the row: on a busy key more often than the core retries.
     */
    private Acquisition afterConflict(SQLException e) throws SQLException, StoreException {
        requireContention(e);
        Optional<Blocked> blocked = look();
        if (blocked.isPresent()) {
            return refuse(blocked.get());
        }
        if (!request.waits()) {
            throw e; // The key may be free: this is no refusal.
        }
        if (dialect.isLockTimeout(e)) {
            lockTimedOut = true;
            lockTimeouts.add(key, e);
        }
        return askAgain();
    }

    private void requireContention(SQLException e) throws SQLException {
        if (SqlFailures.kindOf(e, dialect) != StoreException.Kind.CONTENTION) {
            throw e;
        }
    }

    /** Refuses the key; looks for how long, if the node waits. */
    private Acquisition refuse() throws SQLException {
        Optional<Blocked> blocked = request.waits() ? look() : Optional.empty();
        return blocked.isPresent() ? refuse(blocked.get()) : askAgain();
    }

    /** Refuses the key, and adds the node to the queue if it waits. */
    private Acquisition refuse(Blocked blocked) throws SQLException {
        boolean canJoin = request.waits()
                && !WaitersColumn.contains(blocked.waiters, request.node())
                && WaitersColumn.hasRoom(blocked.waiters);
        if (!canJoin) {
            return refused(blocked);
        }
        return joinQueue() ? blocked.refused(true, request.node()) : askAgain();
    }

    private Acquisition refused(Blocked blocked) {
        return blocked.refused(WaitersColumn.contains(blocked.waiters, request.node()), request.node());
    }

    /** Refuses the key, although it may be free by now. */
    private static Acquisition askAgain() {
        return new Acquisition.Refused(Duration.ZERO, false);
    }

    /** Adds the node to the queue; false if the row has changed, or another statement is changing it. */
    private boolean joinQueue() throws SQLException {
        try {
            return session.execute(statements.joinQueue, withNode());
        } catch (SQLException e) {
            requireContention(e);
            return false;
        }
    }

    /** Looks whether the key is held, or reserved for another node. */
    private Optional<Blocked> look() throws SQLException {
        Optional<Blocked> found = session.queryOne(statements.look, params, this::blocked);
        found.ifPresent(row -> {
            hasQueue = row.waiters != null;
            isFirst = WaitersColumn.isFirst(row.waiters, request.node());
        });
        return found.filter(row -> !row.remaining.isZero());
    }

    private Blocked blocked(ResultSet row) throws SQLException {
        String waiters = row.getString("waiters");
        Duration remaining = SqlValues.duration(row, "remaining");
        boolean mayBeReserved = waiters != null && !WaitersColumn.isFirst(waiters, request.node());
        return blocked(row, remaining.isZero() && mayBeReserved ? SqlValues.duration(row, "reserved") : remaining);
    }

    private static Blocked blocked(ResultSet row, Duration remaining) throws SQLException {
        return new Blocked(remaining, SqlValues.duration(row, "granted_ago"), row.getString("waiters"));
    }
}
