// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import com.github.reservation.ReservationManager;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.memory.InMemoryStore;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Where reservations are kept, for every context that a user can meet. */
@ExtendWith(OutputCaptureExtension.class)
class BackendChoiceTest {

    @AfterAll
    static void shutDownMember() {
        HazelcastMember.shutDown();
    }

    @Test
    void withoutAnythingElseReservationsAreInMemoryAndAWarningSaysWhatThatMeans(CapturedOutput output) {
        Starter.alone().run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(ReservationManagers.class)
                    .hasSingleBean(LockProvider.class).hasSingleBean(LockManager.class);
            assertThat(context.getBean(Backend.class)).isInstanceOf(MemoryBackend.class);
            assertThat(output).containsOnlyOnce("WARN").contains(
                    "Other instances of this application do not see them");
            assertThat(output).containsOnlyOnce("Reservations are kept in the memory of this JVM.");
        });
    }

    @Test
    void memoryThatIsAskedForIsNoWarning(CapturedOutput output) {
        Starter.inMemory().run(context -> {
            assertThat(context.getBean(Backend.class)).isInstanceOf(MemoryBackend.class);
            assertThat(output).doesNotContain("WARN");
        });
    }

    @Test
    void aDataSourceKeepsReservationsInATable(CapturedOutput output) {
        Starter.withJdbc().run(context -> {
            assertThat(context.getBean(Backend.class)).isInstanceOf(JdbcBackend.class);
            assertThat(output).containsOnlyOnce(
                    "Reservations are kept in table RESERVATION_LOCKS of the data source,"
                            + " through a pool of 4 connections of their own.");

            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            orders.run("42", held -> assertThat(held.fencingToken()).isPresent());
        });
    }

    @Test
    void aHazelcastInstanceComesBeforeADataSource() {
        Starter.withJdbc().withUserConfiguration(HazelcastMember.class).run(context -> {
            assertThat(context.getBean(Backend.class)).isInstanceOf(HazelcastBackend.class);

            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            orders.run("42", held -> assertThat(orders.listReservations()).hasSize(1));

            assertThat(context.getBean(HazelcastInstance.class).getDistributedObjects())
                    .anyMatch(object -> object.getName().equals("reservations-orders"));
        });
    }

    @Test
    void aDataSourceCanBeChosenBesideAHazelcastInstance() {
        Starter.withJdbc()
                .withUserConfiguration(HazelcastMember.class)
                .withPropertyValues("reservation.backend=jdbc")
                .run(context -> assertThat(context.getBean(Backend.class)).isInstanceOf(JdbcBackend.class));
    }

    @Test
    void aHazelcastClientIsAHazelcastInstance() {
        Starter.alone()
                .withUserConfiguration(HazelcastMember.class, HazelcastClients.class)
                .withPropertyValues("reservation.hazelcast.instance=client", "reservation.hazelcast.map-prefix=locks")
                .run(context -> {
                    ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
                    orders.run("42", held -> assertThat(orders.listReservations()).hasSize(1));

                    assertThat(context.getBean(Backend.class).place()).contains("locks-<domain>");
                });
    }

    @Test
    void healthAsksTheClusterBeforeTheFirstDomainIsUsed() {
        Starter.alone().withUserConfiguration(HazelcastMember.class, HazelcastClients.class)
                .withPropertyValues("reservation.hazelcast.instance=client").run(context -> {
                    HealthIndicator health = context.getBean(HealthIndicator.class);
                    assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
                    context.getBean("client", HazelcastInstance.class).shutdown();
                    assertThat(health.health().getStatus().getCode()).isEqualTo("DOWN");
                });
    }

    @Test
    void severalHazelcastInstancesNeedAName() {
        Starter.alone().withUserConfiguration(HazelcastMember.class, HazelcastClients.class).run(
                context -> assertThat(analysis(context.getStartupFailure())).satisfies(failure -> {
                    assertThat(failure.getDescription()).contains("HazelcastInstance", "client", "member");
                    assertThat(failure.getAction()).contains("reservation.hazelcast.instance");
                }));
    }

    @Test
    void twoDataSourcesNeedANameOrAPrimaryOne() {
        Starter.alone().withUserConfiguration(TwoDataSources.class).run(
                context -> assertThat(analysis(context.getStartupFailure())).satisfies(failure -> {
                    assertThat(failure.getDescription()).contains("DataSource", "first", "second", "none is primary");
                    assertThat(failure.getAction()).contains("reservation.jdbc.data-source");
                }));
    }

    @Test
    void springBootPrintsWhatIsWrongAndWhatToDo(CapturedOutput output) {
        SpringApplication application = new SpringApplication(ApplicationWithTwoDataSources.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThatException().isThrownBy(application::run);

        assertThat(output).contains("APPLICATION FAILED TO START", "Set reservation.jdbc.data-source to the name");
    }

    @Test
    void aNameChoosesBetweenTwoDataSources() {
        Starter.alone()
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("reservation.jdbc.data-source=second")
                .run(context -> assertThat(context.getBean(JdbcBackend.class).connections())
                        .isSameAs(context.getBean("second")));
    }

    @Test
    void aPrimaryDataSourceIsChosen() {
        Starter.alone().withUserConfiguration(TwoDataSources.class, PrimaryDataSource.class).run(
                context -> assertThat(context.getBean(JdbcBackend.class).connections())
                        .isSameAs(context.getBean("primary")));
    }

    @ParameterizedTest
    @CsvSource({"missing,no bean of that name", "reservationManagers,not a DataSource"})
    void aWrongNameIsRefused(String name, String reason) {
        Starter.withJdbc().withPropertyValues("reservation.jdbc.data-source=" + name).run(
                context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("reservation.jdbc.data-source is \"" + name + '"')
                        .hasMessageContaining(reason)
                        .hasMessageContaining("one of: dataSource"));
    }

    @ParameterizedTest
    @CsvSource({"jdbc,DataSource", "hazelcast,HazelcastInstance"})
    void aBackendWithoutItsBeanIsRefused(String backend, String bean) {
        Starter.alone().withPropertyValues("reservation.backend=" + backend).run(
                context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("no bean of type " + bean));
    }

    @Test
    void hazelcastWithoutItsJarIsRefused() {
        Starter.alone()
                .withClassLoader(new FilteredClassLoader(HazelcastInstance.class))
                .withPropertyValues("reservation.backend=hazelcast")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("Add com.hazelcast:hazelcast"));
    }

    @Test
    void aDataSourceWithoutSpringBootsJdbcIsRefusedAndNotIgnored() {
        Starter.alone()
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc"))
                .withUserConfiguration(PrimaryDataSource.class)
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("Add org.springframework.boot:spring-boot-starter-jdbc"));
    }

    @Test
    void theStarterStartsWithoutActuatorMicrometerAndJdbc() {
        Starter.alone()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.micrometer.core",
                        "org.springframework.boot.jdbc",
                        "org.springframework.boot.sql",
                        "org.springframework.jdbc",
                        "com.hazelcast"))
                .run(context -> assertThat(context).hasNotFailed()
                        .hasSingleBean(ReservationManagers.class)
                        .doesNotHaveBean("reservationMeters")
                        .doesNotHaveBean("reservationsHealthIndicator"));
    }

    @Test
    void theStarterStartsInAWebApplication() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ReservationAutoConfiguration.class,
                        ReservedAutoConfiguration.class,
                        ReservationActuatorAutoConfiguration.class,
                        DataSourceAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ReservationManagers.class));
    }

    @ParameterizedTest
    @CsvSource({
            "reservation.backend=redis,reservation.backend",
            "reservation.lease-time=0s,reservation.lease-time must be at least 1 ms",
            "reservation.lease-time=soon,reservation.lease-time",
            "reservation.reserved.max-wait=-1s,reservation.reserved.max-wait must not be negative",
            "reservation.auto-renew.max-hold=59s,reservation.auto-renew.max-hold must not be shorter than",
            "reservation.jdbc.pool-size=-1,reservation.jdbc.pool-size must not be negative",
            "reservation.jdbc.table-name=x; DROP TABLE y,reservation.jdbc.table-name is wrong: tableName must be an identifier",
            "reservation.jdbc.initialize-schema=sometimes,reservation.jdbc.initialize-schema"})
    void aWrongPropertyStopsTheStart(String property, String message) {
        Starter.withJdbc().withPropertyValues(property).run(
                context -> assertThat(context.getStartupFailure()).isNotNull().satisfies(
                        failure -> assertThat(messages(failure)).contains(message)));
    }

    @Test
    void theApplicationsOwnManagersTakeTheirPlace() {
        Starter.withJdbc().withUserConfiguration(OwnManagers.class).run(context -> {
            assertThat(context).doesNotHaveBean(Backend.class).hasSingleBean(ReservationManagers.class);
            assertThat(context.getBean(ReservationManagers.class)).isSameAs(context.getBean("own"));
            assertThat(context.getBean(LockProvider.class)).isSameAs(context.getBean("ownProvider"));
            assertThat(context.getBean(LockManager.class)).isSameAs(context.getBean("ownLocks"));
        });
    }

    @Test
    void propertiesReachTheManagers() {
        Starter.inMemory().withPropertyValues("reservation.lease-time=90s").run(
                context -> assertThat(context.getBean(ReservationManagers.class).get("orders").getLeaseTime())
                        .isEqualTo(Duration.ofSeconds(90)));
    }

    @Test
    void theLockProviderHasADomainOfItsOwn() {
        Starter.inMemory().withPropertyValues("reservation.leases.domain=jobs").run(context -> {
            LockLease lease = context.getBean(LockProvider.class).acquireLock("report", "one", Duration.ofMinutes(1));

            assertThat(lease).isNotNull();
            assertThat(context.getBean(ReservationManagers.class).get("jobs").getReservation("report").isLocked())
                    .isTrue();
        });
    }

    @Test
    void aSliceThatLeavesTheStarterOutStarts() {
        new ApplicationContextRunner().withBean(ReservedStartUpTest.SkippedVoid.class).run(
                context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReservationManagers.class));
    }

    private static FailureAnalysis analysis(Throwable failure) {
        return new ReservationConfigurationFailureAnalyzer().analyze(failure);
    }

    private static String messages(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }

    private static DataSource h2(String name) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource first() {
            return h2("first");
        }

        @Bean
        DataSource second() {
            return h2("second");
        }

    }

    @Configuration(proxyBeanMethods = false)
    @Import(TwoDataSources.class)
    @ImportAutoConfiguration(ReservationAutoConfiguration.class)
    static class ApplicationWithTwoDataSources {}

    @Configuration(proxyBeanMethods = false)
    static class PrimaryDataSource {

        @Bean
        @Primary
        DataSource primary() {
            return h2("primary");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManagers {

        @Bean
        ReservationManagers own() {
            InMemoryStore store = new InMemoryStore();
            return new ReservationManagers(domain -> ReservationManager.inMemory(store).domain(domain).build());
        }

        @Bean
        LockProvider ownProvider(ReservationManagers managers) {
            return managers.get("mine").lockProvider();
        }

        @Bean
        LockManager ownLocks(ReservationManagers managers) {
            return managers.get("mine");
        }
    }
}
