// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.claim.ClaimEvents;
import com.github.reservation.internal.claim.ClaimOutbox;
import com.github.reservation.internal.claim.jdbc.ClaimRows.Swept;
import com.github.reservation.internal.claim.jdbc.ClaimStatements.Sets;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Claims in a table: one statement for each change, on a connection of its own in autocommit, or on the connection of a caller. The
 * primary key and the row's version decide, never a read. A sweep and a purge are short transactions: they lock rows, except those that
 * another transaction has, and change them.
 *
 * <p>A change whose event goes to an outbox is a transaction, too: the change comes first, so that the lock on its row gives the events
 * of a claim their order.
 */
public final class JdbcClaims implements TransactionalClaimStore, PurgingStore {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_TABLE = new TableName("RESERVATION_CLAIMS");

    /** What the name of the DDL adds to that of the database. */
    public static final String DDL = "-claims";

    private static final int PURGE_LIMIT = 1_000;

    private final SqlTable table;
    private final Duration transactionWait;
    private final Optional<Duration> purgeAfter;
    private final TableSessions<Sets> sessions;
    private final @Nullable ClaimOutbox outbox;
    private final @Nullable Connection connection;

    /**
     * Makes a store.
     *
     * @param transactionWait how long one statement in a caller's transaction may take
     * @param purgeAfter how long ago a released or expired claim must have ended before its row is deleted; empty to keep all rows
     * @param outbox where the events of claims go, in the same transaction; null for nowhere
     */
    public JdbcClaims(
            SqlTable table, Duration transactionWait, Optional<Duration> purgeAfter, @Nullable ClaimOutbox outbox) {
        this(table, transactionWait, purgeAfter, new TableSessions<>(table, session -> {
            Sets sets = Sets.of(session.dialect(), table.name());
            ClaimTableCheck.run(session, sets.own(), table);
            return sets;
        }), outbox, null);
    }

    private JdbcClaims(
            SqlTable table,
            Duration transactionWait,
            Optional<Duration> purgeAfter,
            TableSessions<Sets> sessions,
            @Nullable ClaimOutbox outbox,
            @Nullable Connection connection) {
        this.table = table;
        this.transactionWait = transactionWait;
        this.purgeAfter = purgeAfter;
        this.sessions = sessions;
        this.outbox = outbox;
        this.connection = connection;
    }

    @Override
    public JdbcClaims in(Connection callers) {
        return new JdbcClaims(table, transactionWait, purgeAfter, sessions, outbox, callers);
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
        return sessions.join(connection, transactionWait, (session, sets) -> {
            try {
                return work.execute(new ClaimSession(session, sets.callers()));
            } catch (SQLException e) {
                if (e instanceof SQLTimeoutException || session.dialect().isCancelled(e)) {
                    throw new StoreException(
                            Kind.CONTENTION,
                            "The statement took longer than " + transactionWait
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

    /** Says which events a change makes. */
    @FunctionalInterface
    private interface Events<T> {
        List<? extends ClaimEvent> of(JdbcClaims transaction, T result) throws StoreException;
    }

    /** Makes a change; if an outbox takes events of these classes, appends them in the same transaction. */
    private <T> T change(List<Class<? extends ClaimEvent>> classes, Work<T> work, Events<T> events)
            throws StoreException {
        if (outbox == null || !outbox.takesAny(classes)) {
            return use(work);
        }
        if (connection == null) {
            return sessions.transact((session, sets) -> in(session.connection()).change(classes, work, events));
        }
        T result = use(work);
        outbox.append(connection, events.of(this, result));
        return result;
    }

    /** Returns the event of one claim that was changed, made of its type and the time of the change. */
    private static Events<ClaimChange> event(String reservationId, BiFunction<String, Instant, ClaimEvent> event) {
        return (transaction, change) -> change instanceof ClaimChange.Done done
                ? List.of(event.apply(transaction.typeOf(reservationId, done), done.at()))
                : List.of();
    }

    private String typeOf(String reservationId, ClaimChange.Done done) throws StoreException {
        return done.type().isPresent() ? done.type().get() : find(reservationId).orElseThrow().claim().type();
    }

    @Override
    public ReserveOutcome reserve(NewClaim wanted) throws StoreException {
        return change(
                List.of(ClaimReserved.class, ClaimExpired.class),
                session -> new RowReservation(session, wanted).execute(),
                (transaction, outcome) -> outcome instanceof ReserveOutcome.Granted granted
                        ? ClaimEvents.of(wanted, granted)
                        : List.of());
    }

    @Override
    public ClaimChange confirm(ClaimRef claim, String entityId) throws StoreException {
        Params params = paramsOf(claim).and("entity", entityId);
        return change(
                List.of(ClaimConfirmed.class),
                session -> changeActive(
                        session,
                        claim,
                        claim.token() == null ? session.statements().confirmAny : session.statements().confirm,
                        params),
                event(claim.reservationId(), (type, at) -> new ClaimConfirmed(
                        claim.reservationId(), type, entityId, at)));
    }

    @Override
    public ClaimChange release(ClaimRef claim) throws StoreException {
        return change(
                List.of(ClaimReleased.class),
                session -> changeActive(
                        session,
                        claim,
                        claim.token() == null ? session.statements().releaseAny : session.statements().release,
                        paramsOf(claim)),
                released(claim.reservationId()));
    }

    private static Events<ClaimChange> released(String reservationId) {
        return event(reservationId, (type, at) -> new ClaimReleased(reservationId, type, at));
    }

    @Override
    public ClaimChange extend(ClaimRef claim, Duration ttl) throws StoreException {
        return use(session -> changeActive(
                session, claim, session.statements().extend, paramsOf(claim).and("micros", ttl)));
    }

    private static Params paramsOf(ClaimRef claim) {
        return Params.of("id", claim.reservationId(), "token", claim.token());
    }

    /** Changes an active claim. If there is none, looks for what there is; if that is active by now, starts again. */
    private static ClaimChange changeActive(
            ClaimSession session, ClaimRef claim, ClaimUpdate update, Params params)
            throws SQLException, StoreException {
        for (int i = 0; i < ClaimSession.ATTEMPTS; i++) {
            Optional<ClaimChange.Done> done = session.update(update, claim.reservationId(), params);
            if (done.isPresent()) {
                return done.get();
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
        return change(List.of(ClaimReleased.class), session -> {
            for (int i = 0; i < ClaimSession.ATTEMPTS; i++) {
                Optional<StoredClaim> found = session.look(reservationId);
                if (found.filter(stored -> isConfirmedFor(entityId, stored.claim())).isEmpty()) {
                    return new ClaimChange.Refused(found);
                }
                Optional<ClaimChange.Done> done = session.update(
                        session.statements().releaseConfirmed,
                        reservationId,
                        Params.of("id", reservationId, "version", found.get().claim().version()));
                if (done.isPresent()) {
                    return done.get();
                }
            }
            throw ClaimSession.changesAllTheTime(reservationId);
        }, released(reservationId));
    }

    /** Compared here, because a column may take two entities for one. */
    private static boolean isConfirmedFor(String entityId, Claim claim) {
        return claim.status() == ClaimStatus.CONFIRMED && claim.entityId().filter(entityId::equals).isPresent();
    }

    @Override
    public Optional<StoredClaim> find(String reservationId) throws StoreException {
        return use(session -> session.find(reservationId));
    }

    @Override
    public List<Claim> findByEntity(String entityId) throws StoreException {
        Params params = Params.of("entity", entityId);
        return use(session -> session.sql()
                .query(session.statements().findByEntity, params, ClaimRows::claim)
                .stream()
                .filter(claim -> isConfirmedFor(entityId, claim))
                .toList());
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() throws StoreException {
        return use(session -> session.sql().query(
                session.statements().countByStatus, Params.NONE,
                row -> Map.entry(ClaimRows.status(row), row.getLong("claims"))))
                .stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public Duration lag() throws StoreException {
        return use(session -> session.sql().query(
                session.statements().lag, Params.NONE, row -> SqlValues.duration(row, "overdue_micros")))
                .getFirst();
    }

    @Override
    public List<ClaimExpired> expire(int limit) throws StoreException {
        Work<List<ClaimExpired>> sweep = session -> {
            List<Swept> over = session.sql().query(
                    session.statements().sweep, Params.of("limit", limit), Swept::of);
            Optional<SqlStatement> expire = session.statements().expire;
            List<Swept> marked = expire.isEmpty()
                    ? over
                    : session.changeEach(
                            expire.get(),
                            over,
                            swept -> Params.of("id", swept.end().reservationId(), "version", swept.version()));
            return marked.stream().map(Swept::end).toList();
        };
        List<Class<? extends ClaimEvent>> expired = List.of(ClaimExpired.class);
        return outbox != null && outbox.takesAny(expired)
                ? change(expired, sweep, (transaction, over) -> over)
                : transact(sweep);
    }

    @Override
    public Object purgeScope() {
        return new PurgeScope(table.dataSource(), table.name(), purgeAfter);
    }

    /** Goes on as long as it finds something: rows that others have locked may be among the first, and count for Oracle's limit. */
    @Override
    public boolean purge() throws StoreException {
        return purgeAfter.isPresent() && purge(purgeAfter.get(), PURGE_LIMIT) > 0;
    }

    /**
     * Deletes the rows of claims that were released or expired, and ended before this time.
     *
     * @return how many, at most {@code limit}
     */
    public int purge(Duration after, int limit) throws StoreException {
        Params dead = Params.of("micros", after, "limit", limit);
        return transact(session -> {
            List<Params> rows = session.sql().query(
                    session.statements().lockDead,
                    dead,
                    row -> Params.of("id", row.getString(1), "version", row.getLong(2), "micros", after));
            return session.changeEach(session.statements().purge, rows, row -> row).size();
        });
    }
}
