// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.claim.jdbc.ClaimRows.Lapsed;
import com.github.reservation.internal.claim.jdbc.ClaimSession.Updated;
import com.github.reservation.internal.claim.jdbc.ClaimStatements.Sets;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.internal.sql.StoreConnections;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Claims in a table: one statement for each change, on a connection of its own in autocommit, or on the connection of a caller. The
 * primary key and the row's version decide, never a read. A sweep and a purge are short transactions: they lock rows, except those that
 * another transaction has, and change them.
 */
public final class JdbcClaims implements TransactionalClaimStore, PurgingStore {

    private static final int PURGE_LIMIT = 1_000;

    private final ClaimSettings settings;
    private final TableSessions<Sets> sessions;
    private final @Nullable Connection connection;

    public JdbcClaims(ClaimSettings settings) {
        this(
                settings,
                new TableSessions<>(
                        settings.sessionTable(),
                        dialect -> Sets.of(dialect, settings.table()),
                        (session, sets) -> ClaimTableCheck.run(session, sets.own(), settings.table())),
                null);
    }

    private JdbcClaims(ClaimSettings settings, TableSessions<Sets> sessions, @Nullable Connection connection) {
        this.settings = settings;
        this.sessions = sessions;
        this.connection = connection;
    }

    @Override
    public TransactionalClaimStore in(Connection callers) {
        return new JdbcClaims(settings, sessions, callers);
    }

    /** Returns what takes the connections of these claims. */
    public StoreConnections connections() {
        return sessions.connections();
    }

    /** An operation on the table. */
    @FunctionalInterface
    private interface Work<T> {
        T execute(ClaimSession session) throws SQLException, StoreException;
    }

    private <T> T use(Work<T> work) throws StoreException {
        if (connection == null) {
            return sessions.use((session, sets) -> work.execute(new ClaimSession(session, sets.own())));
        }
        return sessions.useIn(connection, settings.transactionWait(), (session, sets) -> {
            try {
                return work.execute(new ClaimSession(session, sets.callers()));
            } catch (SQLException e) {
                if (e instanceof SQLTimeoutException || session.dialect().isCancelled(e)) {
                    throw new StoreException(
                            Kind.CONTENTION,
                            "The statement took longer than " + settings.transactionWait()
                                    + "; as a rule, another transaction has the same value",
                            e);
                }
                throw e;
            }
        });
    }

    /** Runs several statements as one transaction: the caller's, if there is one. */
    private <T> T transact(Work<T> work) throws StoreException {
        return connection == null
                ? sessions.transact((session, sets) -> work.execute(new ClaimSession(session, sets.own())))
                : use(work);
    }

    @Override
    public ReserveOutcome reserve(NewClaim wanted) throws StoreException {
        return use(session -> new RowReservation(session, wanted).execute());
    }

    @Override
    public ClaimChange confirm(ClaimRef claim, String entityId) throws StoreException {
        ClaimValues values = valuesOf(claim).withEntity(entityId);
        return use(session -> changeActive(
                session,
                claim,
                claim.token() == null ? session.statements().confirmAny : session.statements().confirm,
                values));
    }

    @Override
    public ClaimChange release(ClaimRef claim) throws StoreException {
        return use(session -> changeActive(
                session,
                claim,
                claim.token() == null ? session.statements().releaseAny : session.statements().release,
                valuesOf(claim)));
    }

    @Override
    public ClaimChange extend(ClaimRef claim, Duration ttl) throws StoreException {
        return use(session -> changeActive(
                session, claim, session.statements().extend, valuesOf(claim).withDuration(ttl)));
    }

    private static ClaimValues valuesOf(ClaimRef claim) {
        return ClaimValues.of(claim.reservationId()).withToken(claim.token());
    }

    /** Changes an active claim. If there is none, looks for what there is; if that is active by now, starts again. */
    private static ClaimChange changeActive(
            ClaimSession session, ClaimRef claim, ClaimUpdate update, ClaimValues values)
            throws SQLException, StoreException {
        for (int i = 0; i < ClaimSession.ATTEMPTS; i++) {
            Optional<Updated> updated = session.update(update, values);
            if (updated.isPresent()) {
                return done(updated.get());
            }
            Optional<StoredClaim> found = session.look(claim.reservationId());
            if (found.filter(isActive(claim)).isEmpty()) {
                return new ClaimChange.Refused(found);
            }
        }
        throw ClaimSession.changesAllTheTime(claim.reservationId());
    }

    private static Predicate<StoredClaim> isActive(ClaimRef claim) {
        return stored -> claim.admits(stored.token()) && stored.claim().isReservationActive();
    }

    @Override
    public ClaimChange releaseConfirmed(String reservationId, String entityId) throws StoreException {
        return use(session -> {
            for (int i = 0; i < ClaimSession.ATTEMPTS; i++) {
                Optional<StoredClaim> found = session.look(reservationId);
                if (found.filter(stored -> isConfirmedFor(entityId, stored.claim())).isEmpty()) {
                    return new ClaimChange.Refused(found);
                }
                Optional<Updated> updated = session.update(
                        session.statements().releaseConfirmed,
                        ClaimValues.of(reservationId).withVersion(found.get().claim().version()));
                if (updated.isPresent()) {
                    return done(updated.get());
                }
            }
            throw ClaimSession.changesAllTheTime(reservationId);
        });
    }

    /** Compared here, because a column may take two entities for one. */
    private static boolean isConfirmedFor(String entityId, Claim claim) {
        return claim.status() == ClaimStatus.CONFIRMED && claim.entityId().filter(entityId::equals).isPresent();
    }

    private static ClaimChange done(Updated updated) {
        return new ClaimChange.Done(updated.time(), updated.type());
    }

    @Override
    public Optional<StoredClaim> find(String reservationId) throws StoreException {
        return use(session -> session.find(reservationId));
    }

    @Override
    public List<Claim> findByEntity(String entityId) throws StoreException {
        ClaimValues values = ClaimValues.of("").withEntity(entityId);
        return use(session -> session.sql()
                .query(session.statements().findByEntity, values, ClaimRows::claim)
                .stream()
                .filter(claim -> isConfirmedFor(entityId, claim))
                .toList());
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() throws StoreException {
        return use(session -> session.sql().query(
                session.statements().countByStatus, ClaimValues.of(""),
                row -> Map.entry(ClaimRows.status(row), row.getLong("claims"))))
                .stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public Duration lag() throws StoreException {
        return use(session -> session.sql().query(
                session.statements().lag, ClaimValues.of(""), row -> SqlValues.duration(row, "overdue_micros")))
                .getFirst();
    }

    @Override
    public List<ClaimExpired> expire(int limit) throws StoreException {
        return transact(session -> {
            List<Lapsed> over = session.sql().query(
                    session.statements().sweep, ClaimValues.of("").withLimit(limit), Lapsed::of);
            Optional<SqlStatement> expire = session.statements().expire;
            List<Lapsed> marked = expire.isEmpty()
                    ? over
                    : session.changeEach(
                            expire.get(),
                            over,
                            lapsed -> ClaimValues.of(lapsed.end().reservationId()).withVersion(lapsed.version()));
            return marked.stream().map(Lapsed::end).toList();
        });
    }

    @Override
    public Object purgeScope() {
        return new PurgeScope(settings.dataSource(), settings.table(), settings.purgeAfter());
    }

    /** Goes on as long as it finds something: rows that others have locked may be among the first, and count for Oracle's limit. */
    @Override
    public boolean purge() throws StoreException {
        return settings.purgeAfter().isPresent() && purge(settings.purgeAfter().get(), PURGE_LIMIT) > 0;
    }

    /**
     * Deletes the rows of claims that were released or expired, and ended before this time.
     *
     * @return how many, at most {@code limit}
     */
    public int purge(Duration after, int limit) throws StoreException {
        ClaimValues dead = ClaimValues.of("").withDuration(after).withLimit(limit);
        return transact(session -> {
            List<ClaimValues> rows = session.sql().query(session.statements().lockDead, dead, row -> ClaimValues.of(
                    row.getString(1)).withVersion(row.getLong(2)).withDuration(after));
            return session.changeEach(session.statements().purge, rows, row -> row).size();
        });
    }
}
