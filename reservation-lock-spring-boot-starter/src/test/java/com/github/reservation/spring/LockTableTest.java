// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.jdbc.Ddl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** When the lock table is created, and what a user reads who has none. */
class LockTableTest {

    @TempDir
    private Path directory;

    /** A database in a file is not embedded, as Spring Boot has it. */
    private ApplicationContextRunner onFile() {
        return Starter.withJdbc().withPropertyValues(
                "spring.datasource.url=jdbc:h2:file:" + directory.resolve("locks"));
    }

    @Test
    void aMissingTableStopsTheStartAndSaysHowToCreateIt() {
        onFile().run(context -> assertThat(context.getStartupFailure()).satisfies(failure -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(failure);

            assertThat(analysis.getDescription()).contains("The lock table RESERVATION_LOCKS cannot be read");
            assertThat(analysis.getAction()).contains(
                    "java -jar reservation-lock.jar ddl h2",
                    "reservation.jdbc.initialize-schema=always",
                    "reservation.jdbc.table-name");
        }));
    }

    @Test
    void alwaysCreatesTheTableIfItIsMissing() {
        for (int start = 1; start <= 2; start++) {
            onFile().withPropertyValues("reservation.jdbc.initialize-schema=always").run(
                    context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
        }
        onFile().run(context -> assertThat(context).as("the table is there now").hasNotFailed());
    }

    @Test
    void neverDoesNotLookForTheTable() {
        onFile().withPropertyValues("reservation.jdbc.initialize-schema=never").run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(ReservationAcquisitionException.class)
                    .isThrownBy(() -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}))
                    .havingRootCause()
                    .withMessageContaining("RESERVATION_LOCKS");
        });
    }

    @Test
    void migrationsOfTheApplicationComeFirst() throws IOException {
        Path script = Files.writeString(directory.resolve("schema.sql"), Ddl.of("h2"));

        Starter.withJdbc()
                .withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
                .withPropertyValues("spring.sql.init.schema-locations=" + script.toUri())
                .run(context -> assertThat(context).as("the script found no table").hasNotFailed());
    }

    @Test
    void twoTablesInOneSchemaDoNotCollide() {
        String url = "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        Starter.withJdbc().withPropertyValues(url).run(first -> {
            assertThat(first).hasNotFailed();
            Starter.withJdbc()
                    .withPropertyValues(
                            url,
                            "reservation.jdbc.table-name=PUBLIC.MY_LOCKS",
                            "spring.datasource.hikari.auto-commit=false")
                    .run(second -> {
                        second.getBean(ReservationManagers.class).get("orders").run("42", held -> {});

                        assertThat(second.getBean(JdbcTemplate.class).queryForObject(
                                "SELECT COUNT(*) FROM MY_LOCKS", Integer.class)).isEqualTo(1);
                    });
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_reservation_locks", "reservation_locks_v2", "MY_RESERVATION_LOCKS",
            "public.reservation_locks", "my$locks", "locks$0"})
    void theTableHasTheNameOfThePropertyAlsoIfItContainsTheDefault(String name) {
        Starter.withJdbc().withPropertyValues("reservation.jdbc.table-name=" + name).run(context -> {
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});

            assertThat(context.getBean(JdbcTemplate.class).queryForObject(
                    "SELECT COUNT(*) FROM " + name, Integer.class)).isEqualTo(1);
        });
    }

    /** Without a pool each connection has a database of its own. */
    @Test
    void aTableThatIsGoneAfterItWasCreatedStopsTheStart() {
        Starter.withJdbc()
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:",
                        "spring.datasource.type=" + SimpleDriverDataSource.class.getName())
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("RESERVATION_LOCKS"));
    }

    @Test
    void aDatabaseThatIsDownDoesNotStopTheStart() {
        Starter.withJdbc()
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:1/none",
                        "spring.datasource.hikari.connection-timeout=250")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatExceptionOfType(ReservationAcquisitionException.class).isThrownBy(
                            () -> context.getBean(ReservationManagers.class).get("orders").getReservation("1").lock());
                });
    }
}
