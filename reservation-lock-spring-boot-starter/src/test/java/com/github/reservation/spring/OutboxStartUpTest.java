// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.OutboxApplication.ship;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.outbox.Outbox;
import com.github.reservation.spring.OutboxApplication.Listeners;
import com.github.reservation.spring.OutboxApplication.Shipped;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** When an application has an {@link Outbox}, and what stops its start. */
class OutboxStartUpTest {

    private final ApplicationContextRunner runner = OutboxApplication.runner();

    @TempDir
    private Path directory;

    @Test
    void thereIsNoOutboxUnlessTheApplicationAsksForIt() {
        Starter.withJdbc().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(Outbox.class)
                .doesNotHaveBean(TransactionalOutbox.class)
                .doesNotHaveBean(OutboxDelivery.class));
    }

    @Test
    void theApplicationsOwnOutboxTakesItsPlace() {
        runner.withUserConfiguration(OwnOutbox.class).run(context -> {
            assertThat(context).hasSingleBean(Outbox.class).hasBean("ownOutbox");

            ship(context, "1");

            await().untilAsserted(() -> assertThat(context.getBean(Listeners.class).shipped).hasSize(1));
        });
    }

    @Test
    void missingTablesStopTheStartAndTheErrorSaysHowToCreateThem() {
        ApplicationContextRunner onFile =
                runner.withPropertyValues("spring.datasource.url=jdbc:h2:file:" + directory.resolve("outbox"));
        Starter.withJdbc()
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:file:" + directory.resolve("outbox"),
                        "reservation.jdbc.initialize-schema=always")
                .run(context -> assertThat(context).hasNotFailed());

        onFile.run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("The table of the outbox RESERVATION_OUTBOX cannot be read");
            assertThat(analysis.getAction()).contains("ddl h2-outbox", "reservation.outbox.table-name");
        });
        onFile.withPropertyValues("reservation.jdbc.initialize-schema=always",
                "reservation.outbox.table-name=MY_EVENTS")
                .run(context -> {
                    ship(context, "1");
                    await().untilAsserted(() -> assertThat(context.getBean(Listeners.class).shipped).hasSize(1));
                });
    }

    @ParameterizedTest
    @CsvSource({"table-name, a b, a b", "retry-for, -1s, retryFor", "poll-interval, -1s, pollInterval",
            "lease-time, 1s, leaseTime", "page-size, 1B, pageBytes", "largest-event, 3GB, largestEvent",
            "absent-after, 1m, absentAfter"})
    void aWrongPropertyStopsTheStartAndTheErrorNamesIt(String property, String value, String option) {
        runner.withPropertyValues("reservation.outbox." + property + '=' + value).run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .startsWith("reservation.outbox." + property + " is wrong: ")
                    .contains(option);
            assertThat(analysis.getAction()).isEqualTo("Correct the value of reservation.outbox." + property + '.');
        });
    }

    @Test
    void anIdThatTheOutboxRefusesStopsTheStartAndTheErrorNamesTheMethod() {
        runner.withBean(WithWrongId.class).run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .contains("listener no id! ", "WithWrongId.on", "id must have 1 to 64 letters");
            assertThat(analysis.getAction()).contains("id of the @EventListener");
        });
        runner.withPropertyValues("reservation.outbox.listener-id=a b").run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("listener a b ", "Listeners.on", "id must have");
            assertThat(analysis.getAction()).contains("reservation.outbox.listener-id");
        });
    }

    @Test
    void anOutboxWithoutADatabaseIsRefused() {
        Starter.alone().withPropertyValues("reservation.outbox.enabled=true").run(
                context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("no bean of type DataSource"));
        Starter.inMemory()
                .withClassLoader(new FilteredClassLoader(DataSourceBuilder.class))
                .withPropertyValues("reservation.outbox.enabled=true")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("reservation.outbox.enabled is true, but"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOutbox {

        @Bean
        Outbox ownOutbox(DataSource dataSource, ReservationProperties properties) {
            StoreTable.ofOutbox(properties, dataSource).prepare();
            return Outbox.jdbc(dataSource).pollInterval(Duration.ofMillis(20)).build();
        }
    }

    static class WithWrongId {

        @EventListener(id = "no id!")
        public void on(Shipped event) {}
    }
}
