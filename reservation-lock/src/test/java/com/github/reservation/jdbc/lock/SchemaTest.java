// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.Database;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The table is the user's: it may be elsewhere, missing, older, or not for us to write to. */
@SideBySide
@ParameterizedClass
@EnumSource(Databases.class)
class SchemaTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = kind.open(directory);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theDdlMakesTheTableThatTestsRunOn() throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> key = new ArrayList<>();

        try (Connection connection = database.connect()) {
            String table = kind == Databases.POSTGRESQL ? "reservation_locks" : "RESERVATION_LOCKS";
            String catalog = connection.getCatalog();
            try (ResultSet rows = connection.getMetaData().getColumns(catalog, null, table, null)) {
                while (rows.next()) {
                    String name = rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
                    columns.add(name + (rows.getString("IS_NULLABLE").equals("YES") ? " null" : " not null"));
                }
            }
            try (ResultSet rows = connection.getMetaData().getPrimaryKeys(catalog, null, table)) {
                while (rows.next()) {
                    key.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
                }
            }
        }

        assertThat(columns).containsExactly(
                "reservation_key not null", "holder not null", "acquired_at not null", "expires_at not null",
                "fence null", "waiters null", "reserved_until null");
        assertThat(key).containsExactly("reservation_key");
    }

    @Test
    void whoNamesAnotherDatabaseIsToldWithTheFirstLock() {
        Database another = kind == Databases.ORACLE_MODE ? Database.POSTGRESQL : Database.ORACLE;
        Reservation reservation = database.opened(
                ReservationManager.jdbc(database.pool(1)).database(another).domain("orders").build())
                .getReservation("42");

        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("reservation-lock.jar ddl " + another.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void theTableMayBeInASchema() {
        String schema = "locks_" + UUID.randomUUID().toString().substring(0, 8);
        database.execute("CREATE SCHEMA " + schema);
        database.execute(Ddl.of(kind.ddl()).replace("RESERVATION_LOCKS", schema + ".RESERVATION_LOCKS"));
        Reservation elsewhere = database.opened(ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .tableName(schema + ".RESERVATION_LOCKS")
                .build())
                .getReservation("42");

        elsewhere.lock();

        assertThat(elsewhere.isLocked()).isTrue();
        assertThat(database.query("SELECT COUNT(*) FROM " + schema + ".RESERVATION_LOCKS")).isEqualTo("1");
        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("0");
        elsewhere.unlock();
        database.execute("DROP SCHEMA " + schema + (kind.isMySql() ? "" : " CASCADE"));
    }

    @Test
    void theTableMayHaveAnotherName() {
        database.execute("DROP TABLE IF EXISTS my_locks$1");
        database.execute(Ddl.of(kind.ddl()).replaceAll("(?i)RESERVATION_LOCKS", "my_locks\\$1"));
        Reservation reservation = database.opened(ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .tableName("my_locks$1")
                .build())
                .getReservation("42");

        reservation.lock();
        reservation.unlock();

        assertThat(database.query("SELECT COUNT(*) FROM my_locks$1")).isEqualTo("1");
    }

    @Test
    void aMissingTableIsNotBusyButAnErrorThatSaysHowToMakeIt() {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        ReservationManager manager = database.manager(database.pool(2), LEASE);

        assertUnusable(manager, "java -jar reservation-lock.jar ddl " + kind.ddl());

        database.install();
        manager.getReservation("42").lock();
    }

    @Test
    void aTableThatIsDroppedLaterIsAnErrorToo() {
        ReservationManager manager = database.manager(database.pool(2), LEASE);
        manager.getReservation("42").lock();
        database.execute("DROP TABLE RESERVATION_LOCKS");

        assertUnusable(manager, "java -jar reservation-lock.jar ddl " + kind.ddl());
    }

    @Test
    void aReaderIsToldThatItMustWrite() {
        TestDatabase reader = grantedTo("reader", "SELECT");

        try (reader) {
            assertUnusable(reader.manager(reader.pool(1), LEASE), "may this user read and write it?");
        }
    }

    @Test
    void theGrantsOfTheDdlAreEnough() {
        String grant = Ddl.of(kind.ddl())
                .lines()
                .filter(line -> line.startsWith("-- GRANT "))
                .findFirst()
                .orElseThrow();
        assertThat(grant).contains(" ON RESERVATION_LOCKS TO ");
        String rights = grant.substring("-- GRANT ".length(), grant.indexOf(" ON "));

        try (TestDatabase user = grantedTo("app", rights)) {
            ReservationManager manager = user.manager(user.pool(1), LEASE);
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            assertThat(reservation.renew()).isTrue();
            assertThat(manager.listReservations()).hasSize(1);
            reservation.unlock();
            assertThat(reservation.tryLock()).isTrue();
            reservation.forceUnlock();
        }
    }

    @Test
    void withoutTheRightToDeleteLocksWork_andAPurgeSaysThatItIsNotAllowed() {
        database.manager(database.pool(1), LEASE).getReservation("dead").lock();
        database.execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00',"
                + " expires_at = TIMESTAMP '2001-01-01 00:00:00'");
        try (TestDatabase user = grantedTo("app", "SELECT, INSERT, UPDATE")) {
            JdbcLeaseStore leases = TestDatabase.leases(user.pool(1), Optional.of(Duration.ofHours(1)));

            assertThat(catchThrowableOfType(StoreException.class, leases::purge).kind()).isEqualTo(Kind.MISCONFIGURED);

            Reservation reservation = user.manager(user.pool(1), LEASE).getReservation("42");
            reservation.lock();
            reservation.unlock();
        }
    }

    @Test
    void integrityViolationOtherThanKeyIsAnError() {
        database.execute("ALTER TABLE RESERVATION_LOCKS ADD CONSTRAINT nobody CHECK (holder = 'nobody')");

        assertUnusable(database.manager(database.pool(2), LEASE), "Is table RESERVATION_LOCKS there, as");
    }

    @Test
    void aColumnThatIsTooShortIsAnError() {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        database.execute(Ddl.of(kind.ddl()).replace("(256)", "(8)"));

        assertUnusable(database.manager(database.pool(2), LEASE), "Is table RESERVATION_LOCKS there, as");
    }

    private static void assertUnusable(ReservationManager manager, String hint) {
        Reservation reservation = manager.getReservation("unusable");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(reservation::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContainingAll("RESERVATION_LOCKS", hint);
            assertThatThrownBy(reservation::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContainingAll("RESERVATION_LOCKS", hint);
        }
    }

    /** Returns the database for a new user who has these rights and no others. */
    private TestDatabase grantedTo(String name, String rights) {
        String user = name + "_" + UUID.randomUUID().toString().substring(0, 8);
        database.execute(switch (kind) {
            case POSTGRESQL -> "CREATE USER " + user;
            case MARIADB, MYSQL -> "CREATE USER " + user + " IDENTIFIED BY 'secret'";
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> "CREATE USER " + user + " PASSWORD 'secret'";
        });
        database.execute("GRANT " + rights + " ON RESERVATION_LOCKS TO " + user);
        return database.as(user);
    }
}
