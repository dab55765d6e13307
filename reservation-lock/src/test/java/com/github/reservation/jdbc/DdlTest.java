// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to the DDL without unzipping the jar. */
class DdlTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "mariadb", "h2", "oracle"})
    void everyDatabaseHasItsTable(String name) {
        assertThat(Ddl.of(name))
                .startsWith("-- reservation-lock: ")
                .contains("CREATE TABLE RESERVATION_LOCKS (", "reservation_key", "holder", "acquired_at", "expires_at")
                .contains("fence", "-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_LOCKS TO ")
                .endsWith("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql-migration", "mysql-migration", "mariadb-migration", "h2-migration",
            "oracle-migration"})
    void everyDatabaseHasAWayFromATableOfFourColumns(String name) {
        assertThat(Ddl.of(name))
                .startsWith("-- reservation-lock: ")
                .containsPattern("ALTER TABLE RESERVATION_LOCKS ADD (COLUMN|\\()\\s+fence ")
                .endsWith("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "db2", "PostgreSQL", "postgresql.sql", "../h2", "h2-migration-migration"})
    void aWrongNameIsToldTheRightOnes(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ddl.of(name))
                .withMessageContainingAll(
                        "name must be one of", "postgresql", "mysql", "mariadb", "h2", "h2-migration",
                        "but is \"" + name + "\"");
    }

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> Ddl.of(null)).withMessage("name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Database.now(null))
                .withMessage("connection must not be null");
    }

    @Test
    void theCommandPrintsTheDdlAndNothingElse() {
        assertThat(run("ddl", "postgresql")).isZero();

        assertThat(out).hasToString(Ddl.of("postgresql"));
        assertThat(err.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource(value = {"''", "ddl", "postgresql", "DDL h2", "ddl db2", "ddl h2 h2 h2", "help h2"})
    void wrongArgumentsAreToldTheRightOnes(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);

        assertThat(out.size()).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("usage: java -jar reservation-lock.jar ddl <name>")
                .contains("postgresql, mysql, mariadb, h2, oracle, postgresql-migration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "mariadb", "h2", "oracle", "h2-migration"})
    void aTableOfAnotherNameHasItsOwnConstraints(String name) {
        assertThat(Ddl.of(name, "shop.Order_Locks"))
                .isEqualTo(Ddl.of(name).replace("RESERVATION_LOCKS", "shop.Order_Locks").replace(
                        "_reservation_locks", "_order_locks"))
                .doesNotContainIgnoringCase("reservation_locks")
                .contains("TABLE shop.Order_Locks");
    }

    @Test
    void aTableNameMayContainTheNameThatItReplaces() {
        assertThat(Ddl.of("h2", "app.my_reservation_locks"))
                .isEqualTo(Ddl.of("h2", "app.LOCKS").replace("app.LOCKS", "app.my_reservation_locks").replaceAll(
                        "(pk|idx)_locks", "$1_my_reservation_locks"));
        assertThat(Ddl.of("h2", "my$reservation_locks")).contains("TABLE my$reservation_locks (");
    }

    @Test
    void theCommandTakesTheNameOfTheTable() {
        assertThat(run("ddl", "h2", "order_locks")).isZero();

        assertThat(out).hasToString(Ddl.of("h2", "order_locks"));
    }

    @Test
    void aTableThatIsNoIdentifierIsRefused() {
        assertThat(run("ddl", "h2", "locks; DROP TABLE locks")).isEqualTo(2);

        assertThat(out.size()).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("tableName must be an identifier");
    }

    @Test
    void theLibraryAlonePrintsIt() throws Exception {
        Process process = start("ddl", "mariadb");

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(Ddl.of("mariadb"));
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void theLibraryAloneFailsWithAStatus() throws Exception {
        Process process = start("ddl", "db2");

        assertThat(process.inputReader().readLine()).startsWith("usage: ");
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }

    private int run(String... arguments) {
        return Ddl.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private static Process start(String command, String name) throws java.io.IOException {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("reservation.classes"),
                Ddl.class.getName(),
                command,
                name)
                .redirectErrorStream(true)
                .start();
    }
}
