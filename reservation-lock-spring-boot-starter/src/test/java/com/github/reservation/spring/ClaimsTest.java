// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.ReservationManager;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.claim.JdbcClaimsBuilder;
import com.github.reservation.claim.ReserveResult.Success;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The bean {@link Claims}: where its claims are, and how they join transactions. */
class ClaimsTest {

    private final ApplicationContextRunner runner = Starter.withJdbc().withUserConfiguration(Beans.class);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"reservation.jdbc.pool-size=1", "spring.datasource.connection-fetch=lazy",
            "spring.datasource.hikari.auto-commit=false"})
    void anEntityAndItsClaimCommitOrRollBackTogether(String property) {
        runner.withPropertyValues(property).run(context -> {
            Claims claims = context.getBean(Claims.class);
            SignUp signUp = context.getBean(SignUp.class);
            Success alice = reserved(claims, "alice@example.com");
            Success bob = reserved(claims, "bob@example.com");

            signUp.complete(alice, "1", false);
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> signUp.complete(bob, "2", true));

            assertThat(claims.getReservation(alice.reservationId()).status()).isEqualTo(ClaimStatus.CONFIRMED);
            assertThat(claims.getReservation(bob.reservationId()).status()).isEqualTo(ClaimStatus.RESERVED);
            assertThat(signUp.users()).containsExactly("1");
        });
    }

    @Test
    void eventsAreToldAfterTheCommitAndNotAfterARollback() {
        runner.run(context -> {
            Claims claims = context.getBean(Claims.class);
            SignUp signUp = context.getBean(SignUp.class);
            Told told = context.getBean(Told.class);
            Success alice = reserved(claims, "alice@example.com");
            Success bob = reserved(claims, "bob@example.com");
            assertThat(told.events).as("outside of a transaction").hasOnlyElementsOfType(ClaimReserved.class)
                    .hasSize(2);
            assertThat(told.afterCommit).as("committed, too").isEqualTo(told.events);
            told.events.clear();
            told.afterCommit.clear();

            signUp.complete(alice, "1", false);
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> signUp.complete(bob, "2", true));

            assertThat(told.events).hasExactlyElementsOfTypes(ClaimConfirmed.class);
            assertThat(told.afterCommit).isEqualTo(told.events);
            assertThat(signUp.toldBeforeTheEnd).isZero();
        });
    }

    @Test
    void aFailingListenerDoesNotReachTheCaller() {
        runner.withUserConfiguration(FailingListener.class).run(context -> {
            SignUp signUp = context.getBean(SignUp.class);

            signUp.complete(reserved(context.getBean(Claims.class), "alice@example.com"), "1", false);

            assertThat(signUp.users()).containsExactly("1");
        });
    }

    @Test
    void aTransactionOnAnotherDataSourceIsNotJoined() {
        runner.run(context -> {
            Claims claims = context.getBean(Claims.class);
            JdbcDataSource other = new JdbcDataSource();
            other.setUrl("jdbc:h2:mem:other");

            new TransactionTemplate(new DataSourceTransactionManager(other)).executeWithoutResult(status -> {
                context.getBean(SignUp.class).users(); // Binds a connection in autocommit mode to the transaction.
                reserved(claims, "alice@example.com");
                status.setRollbackOnly();
            });

            assertThat(claims.isReserved("email", "alice@example.com")).isTrue();
        });
    }

    @Test
    void withoutADataSourceClaimsAreInMemory() {
        Starter.inMemory().withUserConfiguration(Normalizing.class, Told.class).run(context -> {
            reserved(context.getBean(Claims.class), "Alice@Example.com");

            assertThat(context.getBean(Claims.class).isReserved("email", "alice@example.com")).isTrue();
            assertThat(context.getBean(Told.class).events).hasExactlyElementsOfTypes(ClaimReserved.class);
        });
    }

    @Test
    void onHazelcastWithoutADatabaseThereAreNoClaimsAndTheErrorSaysSo() {
        Backend backend = new HazelcastBackend(hazelcast(), "reservations", Optional.empty());

        assertThatExceptionOfType(ReservationConfigurationException.class)
                .isThrownBy(() -> new BackendClaims(backend, builder -> {}).open())
                .withMessageContainingAll("Claims need a database", "Hazelcast instance one", "backend=jdbc");
    }

    /** An instance that is there, and does nothing. */
    static HazelcastInstance hazelcast() {
        return (HazelcastInstance) Proxy.newProxyInstance(
                ClaimsTest.class.getClassLoader(), new Class<?>[]{HazelcastInstance.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == args[0];
                    default -> "one";
                });
    }

    @Test
    void ifLocksAreOnHazelcastClaimsAreInTheDatabaseAndJoinItsTransactions() {
        runner.withBean(HazelcastInstance.class, ClaimsTest::hazelcast).run(context -> {
            Claims claims = context.getBean(Claims.class);
            SignUp signUp = context.getBean(SignUp.class);
            Success alice = reserved(claims, "alice@example.com");
            Success bob = reserved(claims, "bob@example.com");

            signUp.complete(alice, "1", false);
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> signUp.complete(bob, "2", true));

            assertThat(context.getBean(Backend.class)).isInstanceOf(HazelcastBackend.class);
            assertThat(claims.getReservation(alice.reservationId()).status()).isEqualTo(ClaimStatus.CONFIRMED);
            assertThat(claims.getReservation(bob.reservationId()).status()).isEqualTo(ClaimStatus.RESERVED);
        });
    }

    @Test
    void customizersAndMetersReachTheBuilder() {
        runner.withUserConfiguration(Normalizing.class).withBean(SimpleMeterRegistry.class).run(context -> {
            reserved(context.getBean(Claims.class), "Alice@Example.com");

            assertThat(context.getBean(Claims.class).isReserved("email", "alice@example.com")).isTrue();
            assertThat(context.getBean(Normalizing.class).builders).hasExactlyElementsOfTypes(JdbcClaimsBuilder.class);
            assertThat(context.getBean(MeterRegistry.class).get("reservation.claim.reserved").counter().count())
                    .isEqualTo(1);
        });
    }

    @Test
    void anApplicationWithoutClaimsNeedsNoTableForThem() {
        ApplicationContextRunner onFile = Starter.withJdbc().withPropertyValues(
                "spring.datasource.url=jdbc:h2:file:" + directory.resolve("claims"));
        onFile.withPropertyValues("reservation.jdbc.initialize-schema=always").run(
                context -> assertThat(context).hasNotFailed());

        onFile.run(context -> assertThat(context).as("it uses locks alone").hasNotFailed());
        onFile.withBean(UsesClaims.class).run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("The table of claims RESERVATION_CLAIMS cannot be read");
            assertThat(analysis.getAction()).contains("ddl h2-claims", "reservation.jdbc.claims-table-name");
        });
        onFile.withBean(UsesClaims.class)
                .withPropertyValues(
                        "reservation.jdbc.initialize-schema=always", "reservation.jdbc.claims-table-name=MY_CLAIMS")
                .run(context -> reserved(context.getBean(Claims.class), "alice@example.com"));
    }

    @Test
    void theApplicationsOwnClaimsTakeTheirPlace() {
        runner.withUserConfiguration(OwnClaims.class).run(context -> assertThat(context.getBean(Claims.class))
                .isSameAs(context.getBean("ownClaims")));
    }

    @Test
    void theApplicationsOwnManagersHaveNoClaims() {
        Starter.alone()
                .withBean(
                        ReservationManagers.class,
                        () -> new ReservationManagers(
                                domain -> ReservationManager.inMemory().domain(domain).build()))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Claims.class));
    }

    private static Success reserved(Claims claims, String value) {
        return (Success) claims.reserve("email", value, Claims.RECOMMENDED_TTL);
    }

    record UsesClaims(Claims claims) {}

    static class SignUp {

        private final Claims claims;
        private final JdbcTemplate jdbc;
        private final Told told;
        int toldBeforeTheEnd;

        SignUp(Claims claims, DataSource dataSource, Told told) {
            this.claims = claims;
            this.jdbc = new JdbcTemplate(dataSource);
            this.told = told;
            jdbc.execute("CREATE TABLE users (id VARCHAR(10))");
        }

        @Transactional
        public void complete(Success email, String id, boolean fail) {
            int before = told.events.size();
            jdbc.update("INSERT INTO users VALUES (?)", id);
            claims.confirm(email.reservationId(), email.token(), id);
            toldBeforeTheEnd += told.events.size() - before;
            if (fail) {
                throw new ArithmeticException();
            }
        }

        public List<String> users() {
            return jdbc.queryForList("SELECT id FROM users", String.class);
        }
    }

    /** What listeners of Spring are told. */
    static class Told {

        final List<ClaimEvent> events = new CopyOnWriteArrayList<>();
        final List<ClaimEvent> afterCommit = new CopyOnWriteArrayList<>();

        @EventListener
        public void on(ClaimEvent event) {
            events.add(event);
        }

        @TransactionalEventListener
        public void afterCommit(ClaimEvent event) {
            afterCommit.add(event);
        }
    }

    static class FailingListener {

        @EventListener
        public void on(ClaimEvent event) {
            throw new IllegalStateException("a listener that fails");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Told.class)
    static class Beans {

        @Bean
        SignUp signUp(Claims claims, DataSource dataSource, Told told) {
            return new SignUp(claims, dataSource, told);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Normalizing {

        final List<ClaimsBuilder<?>> builders = new CopyOnWriteArrayList<>();

        @Bean
        ClaimsCustomizer<ClaimsBuilder<?>> lowerCase() {
            return builder -> {
                builders.add(builder);
                builder.normalize("email", value -> value.toLowerCase(Locale.ROOT));
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClaims {

        @Bean
        Claims ownClaims() {
            return Claims.inMemory().build();
        }
    }
}
