// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.jdbc.Ddl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Migrations run before the starter looks for the lock table: it would stop the start. */
class MigrationTest {

    @TempDir
    private Path directory;

    /** A database in a file is not embedded, so the starter creates nothing. */
    private ApplicationContextRunner with(Class<?> migrations, String property) {
        return Starter.withJdbc()
                .withConfiguration(AutoConfigurations.of(migrations))
                .withPropertyValues("spring.datasource.url=jdbc:h2:file:" + directory.resolve("locks"), property);
    }

    @Test
    void flywayCreatesTheLockTableFirst() throws IOException {
        Files.writeString(directory.resolve("V7__reservation_locks.sql"), Ddl.of("h2"));

        with(FlywayAutoConfiguration.class, "spring.flyway.locations=filesystem:" + directory).run(
                context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }

    @Test
    void liquibaseCreatesTheLockTableFirst() throws IOException {
        Files.writeString(directory.resolve("reservation-locks.sql"), Ddl.of("h2"));
        Path changeLog = Files.writeString(directory.resolve("changelog.yaml"), """
                databaseChangeLog:
                  - changeSet:
                      id: reservation-locks
                      author: shop
                      changes:
                        - sqlFile:
                            path: reservation-locks.sql
                            relativeToChangelogFile: true
                """);

        with(LiquibaseAutoConfiguration.class, "spring.liquibase.change-log=" + changeLog.toUri()).run(
                context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }
}
