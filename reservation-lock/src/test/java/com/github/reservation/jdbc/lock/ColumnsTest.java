// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A column that takes two keys for one would lock the wrong things; one that takes two holders would free them. */
@SideBySide
class ColumnsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
            "MARIADB, VARCHAR(512) CHARACTER SET latin1",
            "MARIADB, VARCHAR(512) CHARACTER SET latin1 COLLATE latin1_bin",
            "MARIADB, VARCHAR(512) CHARACTER SET utf8mb4",
            "MARIADB, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            "MARIADB, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_nopad_ci",
            "MARIADB, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE uca1400_nopad_ai_cs",
            "MARIADB, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE uca1400_nopad_as_cs",
            "MYSQL, VARCHAR(512) CHARACTER SET latin1 COLLATE latin1_bin",
            "MYSQL, VARCHAR(512) CHARACTER SET utf8mb4",
            "MYSQL, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            "MYSQL, VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_as_cs",
            "H2_IN_MEMORY, VARCHAR_IGNORECASE(512)",
            "H2_FILE, VARCHAR_IGNORECASE(512)",
            "POSTGRESQL, CHAR(512)",
            "POSTGRESQL, VARCHAR(512) COLLATE folding_case",
            "POSTGRESQL, VARCHAR(512) COLLATE folding_little"
    })
    void aColumnThatFoldsIsRefusedAtFirstUse(Databases kind, String type) {
        try (TestDatabase database = kind.open(directory)) {
            if (type.contains("folding")) {
                database.execute("""
                        CREATE COLLATION IF NOT EXISTS folding_case
                        (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                        CREATE COLLATION IF NOT EXISTS folding_little
                        (provider = icu, locale = 'und', deterministic = false)
                        """);
            }
            String sound = switch (kind) {
                case MARIADB -> "VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
                case MYSQL -> "VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin";
                case POSTGRESQL, H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> "VARCHAR(512)";
            };
            assertRefused(database, type, sound);
            assertRefused(database, sound, type);
        }
    }

    private static void assertRefused(TestDatabase database, String keyType, String holderType) {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        database.execute("""
                CREATE TABLE RESERVATION_LOCKS (
                    reservation_key %s NOT NULL PRIMARY KEY,
                    holder %s NOT NULL,
                    acquired_at TIMESTAMP(6) NOT NULL,
                    expires_at TIMESTAMP(6) NOT NULL,
                    fence BIGINT
                )
                """.formatted(keyType, holderType));
        ReservationManager manager = database.manager(database.pool(1), LEASE);
        Reservation reservation = manager.getReservation("42");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(reservation::tryLock)
                    .as("key %s, holder %s", keyType, holderType)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContainingAll(
                            "Table RESERVATION_LOCKS takes different keys for equal",
                            "give reservation_key and holder the collation",
                            "java -jar reservation-lock.jar ddl " + database.kind().ddl());
        }
        assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);
        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({
            "POSTGRESQL, TIMESTAMP(6) WITH TIME ZONE, timestamptz with 6 digits",
            "POSTGRESQL, TIMESTAMP(0), timestamp with 0 digits",
            "POSTGRESQL, TIMESTAMP(3), timestamp with 3 digits",
            "POSTGRESQL, DATE, date with 0 digits",
            "MARIADB, DATETIME, DATETIME with 0 digits",
            "MARIADB, DATETIME(3), DATETIME with 3 digits",
            "MARIADB, TIMESTAMP(6), TIMESTAMP with 6 digits",
            "MYSQL, DATETIME, DATETIME with 0 digits",
            "MYSQL, DATETIME(3), DATETIME with 3 digits",
            "MYSQL, TIMESTAMP(6), TIMESTAMP with 6 digits",
            "H2_IN_MEMORY, TIMESTAMP(6) WITH TIME ZONE, TIMESTAMP WITH TIME ZONE with 6 digits",
            "H2_IN_MEMORY, TIMESTAMP(0), TIMESTAMP with 0 digits",
            "H2_FILE, TIMESTAMP(3), TIMESTAMP with 3 digits"
    })
    void aTimeOfAnotherTypeIsRefusedAtFirstUse(Databases kind, String type, String shown) {
        try (TestDatabase database = kind.open(directory)) {
            String sound = kind.isMySql() ? "DATETIME(6)" : "TIMESTAMP(6)";
            for (String column : new String[]{"acquired_at", "expires_at"}) {
                database.execute("DROP TABLE RESERVATION_LOCKS");
                database.execute(Ddl.of(kind.ddl()).replaceFirst(column + " +[A-Z]+\\(6\\)", column + " " + type));
                Reservation reservation = database.manager(database.pool(1), LEASE).getReservation("42");

                assertThatThrownBy(reservation::tryLock)
                        .isInstanceOf(ReservationAcquisitionException.class)
                        .hasMessageContainingAll(
                                "Table RESERVATION_LOCKS keeps " + column + " as " + shown + " of a second",
                                "java -jar reservation-lock.jar ddl " + kind.ddl());

                database.execute("DROP TABLE RESERVATION_LOCKS");
                database.execute(Ddl.of(kind.ddl()).replaceFirst(column + " +[A-Z]+\\(6\\)", column + " " + sound));
                assertThat(reservation.tryLock()).as("once it is mended").isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void aTableWithoutItsPrimaryKeyIsRefusedAtFirstUse(Databases kind) {
        try (TestDatabase database = kind.open(directory)) {
            database.execute("CREATE TABLE COPIED_LOCKS AS SELECT * FROM RESERVATION_LOCKS");
            ReservationManager manager = database.opened(ReservationManager.jdbc(database.pool(1))
                    .domain("orders")
                    .tableName("COPIED_LOCKS")
                    .build());

            assertThatThrownBy(manager.getReservation("42")::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("Table COPIED_LOCKS has no primary key on reservation_key alone");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL", "H2_IN_MEMORY"}) // PostgreSQL cannot upsert without the key.
    void thePrimaryKeyOfATableInAnotherSchemaDoesNotCount(Databases kind) {
        try (TestDatabase database = kind.open(directory)) {
            database.execute("CREATE SCHEMA sound");
            try {
                database.execute(Ddl.of(kind.ddl()).replace("TABLE RESERVATION_LOCKS", "TABLE sound.SHARED_NAME"));
                database.execute("CREATE TABLE SHARED_NAME AS SELECT * FROM RESERVATION_LOCKS");
                ReservationManager faulty = database.opened(ReservationManager.jdbc(database.pool(1))
                        .domain("orders")
                        .tableName("SHARED_NAME")
                        .build());
                ReservationManager sound = database.opened(ReservationManager.jdbc(database.pool(1))
                        .domain("orders")
                        .tableName("sound.SHARED_NAME")
                        .build());

                assertThatThrownBy(faulty.getReservation("42")::tryLock)
                        .isInstanceOf(ReservationAcquisitionException.class)
                        .hasMessageContaining("Table SHARED_NAME has no primary key");
                assertThat(sound.getReservation("42").tryLock()).isTrue();
            } finally {
                database.execute("DROP TABLE IF EXISTS SHARED_NAME");
                database.execute("DROP SCHEMA sound" + (kind.isH2() ? " CASCADE" : ""));
            }
        }
    }

    @Test
    void onOracleATableInAnotherSchemaIsFoundByItsSynonym() {
        try (TestDatabase database = Databases.ORACLE_MODE.openNew(directory)) {
            database.execute("CREATE SCHEMA central");
            database.execute(Ddl.of("oracle").replace("RESERVATION_LOCKS", "central.RESERVATION_LOCKS"));
            database.execute("CREATE SYNONYM RESERVATION_LOCKS FOR central.RESERVATION_LOCKS");
            Reservation reservation = database.manager(database.pool(1), LEASE).getReservation("42");

            reservation.lock();

            assertThat(database.query("SELECT COUNT(*) FROM central.RESERVATION_LOCKS")).isEqualTo("1");
            reservation.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void keysThatLookAlikeAreDifferentLocks(Databases kind) {
        try (TestDatabase database = kind.open(directory)) {
            ReservationManager manager = database.manager(database.pool(2), LEASE);
            String[] lookAlikes = {
                    "a", "A", "a ", " a", "a  ", "\u00e1", "a\u0301", "\u0430", "a\u200b", "\uff41", "\u00df", "ss",
                    "\ud83d\ude00", "\ud83d\ude01", "a%", "a_", "a\\", "a!", "a'", "a\"", "a\t"};

            for (String lookAlike : lookAlikes) {
                assertThat(manager.getReservation(lookAlike).tryLock()).as("'%s'", lookAlike).isTrue();
            }

            assertThat(manager.listReservations()).extracting(info -> info.identifier())
                    .containsExactlyInAnyOrder(lookAlikes);
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void oneDomainDoesNotListAnother(Databases kind) {
        try (TestDatabase database = kind.open(directory)) {
            String[] domains = {"a_c", "abc", "A_C", "a%", "a\\", "a!", "ab"};
            var pool = database.pool(2);
            for (String domain : domains) {
                database.opened(ReservationManager.jdbc(pool).domain(domain).build()).getReservation("42 in " + domain)
                        .lock();
            }

            for (String domain : domains) {
                assertThat(database.opened(ReservationManager.jdbc(pool).domain(domain).build()).listReservations())
                        .extracting(info -> info.identifier())
                        .containsExactly("42 in " + domain);
            }
        }
    }
}
