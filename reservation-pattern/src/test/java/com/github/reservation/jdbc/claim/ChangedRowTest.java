// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * H2 can return a row as it was before another transaction changed it, and lock the row as it is. So the statement that follows must
 * decide by the row, not by what was read. PostgreSQL needs one statement for a sweep.
 */
@ParameterizedClass
@EnumSource(value = Databases.class, names = {"H2_IN_MEMORY", "ORACLE_MODE", "MARIADB", "MYSQL"})
@SideBySide
class ChangedRowTest extends OnClaimTable {

    private static final Duration MONTH = Duration.ofDays(30);

    /** A new claim starts at the first version again, if the row before it was purged. */
    private static final String ACTIVE = "expires_at = TIMESTAMP '2100-01-01 00:00:00'";

    private static final String CONFIRMED = "status = 'confirmed'";
    private static final String CHANGED = "version = version + 1";

    private final AtomicReference<Connection> taken = new AtomicReference<>();

    @ParameterizedTest
    @ValueSource(strings = {ACTIVE, CONFIRMED, CHANGED})
    void aSweepMarksNothingElse(String change) throws StoreException {
        JdbcClaims store = storeThatFinds(change);

        assertThat(store.expire(100)).isEmpty();

        assertKept();
    }

    @ParameterizedTest
    @ValueSource(strings = {ACTIVE, CONFIRMED, CHANGED})
    void aPurgeDeletesNothingElse(String change) throws StoreException {
        JdbcClaims store = storeThatFinds(change);

        assertThat(store.purge(MONTH, 100)).isZero();

        assertKept();
    }

    private void assertKept() {
        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_CLAIMS WHERE status <> 'expired'")).isEqualTo("1");
    }

    /** Returns a store that finds a dead claim, whose row is changed before the next statement, in the same transaction. */
    private JdbcClaims storeThatFinds(String change) {
        try (Claims claims = claims()) {
            claims.reserve("email", ALICE, LONG);
        }
        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00',"
                + " updated_at = TIMESTAMP '2020-01-01 00:00:00'");
        ScriptedDriver driver = new ScriptedDriver(keepingConnections());
        JdbcClaims store = new JdbcClaims(
                new SqlTable(driver.dataSource(), Optional.empty(), JdbcClaims.DEFAULT_TABLE, Duration.ofSeconds(5),
                        JdbcClaims.DDL),
                Duration.ofSeconds(2),
                Optional.of(MONTH), null);
        AtomicInteger sent = new AtomicInteger();
        driver.fail(Step.SEND, () -> {
            // The first two look at the table, and find the claim.
            if (sent.incrementAndGet() == 3) {
                change(change);
            }
            return null;
        });
        return store;
    }

    private DataSource keepingConnections() {
        DataSource pool = database.pool(2);
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{DataSource.class}, (proxy, method, arguments) -> {
                    Connection connection = pool.getConnection();
                    taken.set(connection);
                    return connection;
                });
    }

    private void change(String change) {
        try (Statement statement = taken.get().createStatement()) {
            statement.execute("UPDATE RESERVATION_CLAIMS SET " + change);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
