// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of keys that nobody wants any more go, and no others. */
@SideBySide
@ParameterizedClass
@EnumSource(Databases.class)
class PurgeTest {

    private static final String LONG_AGO = "TIMESTAMP '2001-01-01 00:00:00'";

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private JdbcLeaseStore leases;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        leases = TestDatabase.leases(database.pool(2), Optional.of(Duration.ofHours(1)));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void onlyWhatNobodyWantedForLongIsPurged() throws StoreException {
        acquire("live");
        acquire("live for long");
        age("live for long");
        acquire("released");
        release("released");
        acquire("released long ago");
        release("released long ago");
        age("released long ago");
        acquire("expired long ago");
        database.execute("UPDATE RESERVATION_LOCKS SET expires_at = TIMESTAMP '2001-01-02 00:00:00'"
                + " WHERE reservation_key = 'expired long ago'");
        age("expired long ago");

        assertThat(leases.purge()).as("there may be more").isFalse();

        assertThat(keys()).isEqualTo("live,live for long,released");
        assertThat(leases.find("live for long")).isPresent();
    }

    @Test
    void atMostAThousandArePurgedAtOnce() throws StoreException {
        insertDead(1_001);
        acquire("live");

        assertThat(leases.purge()).as("there may be more").isTrue();
        assertThat(rows()).isEqualTo("2");

        assertThat(leases.purge()).as("there may be more").isFalse();
        assertThat(keys()).isEqualTo("live");
    }

    @Test
    void purgingCanBeSwitchedOff() throws StoreException {
        insertDead(3);

        assertThat(TestDatabase.leases(database.pool(1), Optional.empty()).purge()).isFalse();

        assertThat(rows()).isEqualTo("3");
    }

    @Test
    void aPurgedKeyCanBeHadAgain() throws StoreException {
        acquire("42");
        release("42");
        age("42");
        leases.purge();

        acquire("42");

        assertThat(leases.find("42")).isPresent();
    }

    private void acquire(String key) throws StoreException {
        leases.acquire(AcquireRequest.once(new LeaseId(key, "holder"), Duration.ofMinutes(1), "node"));
    }

    private void release(String key) throws StoreException {
        leases.release(List.of(new LeaseId(key, "holder")));
    }

    private void age(String key) {
        database.execute("UPDATE RESERVATION_LOCKS SET acquired_at = " + LONG_AGO
                + " WHERE reservation_key = '" + key + "'");
    }

    private void insertDead(int count) {
        String numbers = switch (kind) {
            case POSTGRESQL -> "generate_series(1, " + count + ") AS numbers (n)";
            case MARIADB -> "(SELECT seq AS n FROM seq_1_to_" + count + ") AS numbers";
            case MYSQL -> "JSON_TABLE(CONCAT('[0', REPEAT(',0', " + (count - 1) + "), ']'),"
                    + " '$[*]' COLUMNS (n FOR ORDINALITY)) AS numbers";
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> "(SELECT x AS n FROM SYSTEM_RANGE(1, " + count + ")) AS numbers";
        };
        database.execute("INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at)"
                + " SELECT CONCAT('dead-', n), 'holder', " + LONG_AGO + ", " + LONG_AGO + " FROM " + numbers);
    }

    private String rows() {
        return database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS");
    }

    private String keys() {
        String all = switch (kind) {
            case POSTGRESQL -> "STRING_AGG(reservation_key, ',' ORDER BY reservation_key)";
            case MARIADB, MYSQL -> "GROUP_CONCAT(reservation_key ORDER BY reservation_key SEPARATOR ',')";
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE ->
                "LISTAGG(reservation_key, ',') WITHIN GROUP (ORDER BY reservation_key)";
        };
        return database.query("SELECT " + all + " FROM RESERVATION_LOCKS");
    }
}
