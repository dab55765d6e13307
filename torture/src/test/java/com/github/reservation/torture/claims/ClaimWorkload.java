// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.worker.Setting;
import com.github.reservation.torture.worker.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Reserves, confirms, extends and releases a few values that all workers want, and looks at them. In every other process, the ends of claims go to
 * an outbox, so that changes are transactions of several statements there, and single statements elsewhere. All processes deliver them.
 */
public final class ClaimWorkload implements Workload {

    static final String TYPE = "torture";
    static final Duration LONGEST_TTL = Duration.ofSeconds(3);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(10);
    private static final int SWEPT_AT_ONCE = 50;

    private final DataSource dataSource;
    private final Journal journal;
    private final WatchedClaimStore watched = new WatchedClaimStore();
    private final EndsOutbox ends;
    private final boolean hasOutbox;
    private final Claims claims;
    private final ClaimCalls calls;

    public ClaimWorkload(Setting setting) {
        dataSource = setting.dataSource().orElseThrow();
        journal = setting.journal();
        ends = new EndsOutbox(setting);
        hasOutbox = setting.worker().hashCode() % 2 == 0;
        SqlTable table = SqlTable.of(
                dataSource, null, JdbcClaims.DEFAULT_TABLE, Duration.ofSeconds(2), JdbcClaims.DDL);
        TransactionalClaimStore store = new JdbcClaims(table, Duration.ofSeconds(2), Optional.empty(),
                hasOutbox ? ends.ofClaims() : null);
        TransactionalClaimStore used = setting.planted()
                .map(bug -> BrokenClaimStore.with(bug, store, dataSource))
                .orElse(store);
        claims = Claims.on(watched.watching(used)).build();
        claims.onEvent(event -> {
            if (event instanceof ClaimExpired expired) {
                journal.notes("claim-expired", expired.key(), "at", micros(expired.occurredAt()),
                        "outbox", hasOutbox);
            }
        });
        calls = new ClaimCalls(setting.worker(), new KnownClaims());
    }

    /** Creates the table of claims anew. */
    public static void install(DataSource dataSource, String ddl) {
        JdbcBackend.execute(dataSource, "DROP TABLE IF EXISTS RESERVATION_CLAIMS;" + Ddl.of(ddl + "-claims"));
        EndsOutbox.install(dataSource, ddl);
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    @Override
    public int threads() {
        return 3;
    }

    @Override
    public void once(RandomGenerator random) throws Exception {
        LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE.toNanos()));
        if (random.nextInt(200) == 0) {
            sweep();
            return;
        }
        Optional<ClaimCalls.Wanted> wanted = calls.any(WantedValues.any(random), random);
        if (wanted.isPresent()) {
            ClaimCalls.Wanted call = wanted.get();
            journal.calls(call.what(), call.value(), call.facts());
            Answer answer = random.nextInt(25) == 0 ? inTransaction(call, random.nextInt(3) == 0) : alone(call);
            journal.returns(answer.result(), answer.facts());
            answer.token().ifPresent(token -> calls.learn(call.value(), token));
        }
    }

    private void sweep() {
        try {
            claims.expireReservations(SWEPT_AT_ONCE);
        } catch (ReservationException e) {
            journal.notes("sweep-failed", "-", "why", e.getClass().getSimpleName());
        } finally {
            watched.takeDoubts();
        }
    }

    /** Makes a call in a transaction of its own. */
    private Answer alone(ClaimCalls.Wanted call) {
        Answer answer;
        try {
            answer = call.on(claims);
        } catch (ReservationException e) {
            answer = Answer.failed(e);
        }
        int doubts = watched.takeDoubts();
        return doubts == 0 ? answer : answer.and("doubts", doubts);
    }

    /** Makes a call in a transaction of the caller, which commits it or not. */
    private Answer inTransaction(ClaimCalls.Wanted call, boolean rollsBack) {
        Answer answer = null;
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Answer uncommitted = call.on(claims.in(connection));
                if (rollsBack) {
                    return Answer.rolledBack("on purpose");
                }
                answer = uncommitted.and("transaction", true);
                connection.commit();
                return answer;
            } finally {
                // Does nothing after a commit.
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (TransactionRetryException e) {
            return Answer.rolledBack("to be repeated");
        } catch (ReservationException | SQLException e) {
            return answer == null ? Answer.rolledBack(e.getClass().getSimpleName()) : answer.inDoubt(e);
        }
    }

    @Override
    public void close() throws Exception {
        claims.close();
        ends.close();
    }

    /** Returns a digest of a token, which is a secret. */
    static String digest(ClaimToken token) {
        return KeyDigest.of(token.value()).substring(0, 16);
    }
}
