// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.claim.Claims;
import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks never take part in a transaction, and can have a pool of their own. */
class DataSourcesTest {

    @ParameterizedTest
    @ValueSource(strings = {"aware", "lazy", "both"})
    void proxiesThatTakePartInTransactionsAreUnwrapped(String proxy) {
        Starter.withJdbc().withUserConfiguration(Proxies.class).withPropertyValues("proxy=" + proxy).run(context -> {
            Reservation order = context.getBean(ReservationManagers.class).get("orders").getReservation("42");
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                order.lock();
                status.setRollbackOnly();
            });

            assertThat(order.isLocked()).as("locked after the rollback").isTrue();
            assertThat(context.getBean(JdbcBackend.class).connections()).isInstanceOf(HikariDataSource.class);
            order.unlock();
        });
    }

    @Test
    void aProxyThatCannotBeUnwrappedIsRefused() {
        Starter.withJdbc().withUserConfiguration(Proxies.class).withPropertyValues("proxy=hidden").run(
                context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("wraps a TransactionAwareDataSourceProxy")
                        .hasMessageContaining("reservation.jdbc.data-source"));
    }

    @Test
    void otherWrappersStay() {
        Starter.withJdbc().withUserConfiguration(Proxies.class).withPropertyValues("proxy=other").run(
                context -> assertThat(context.getBean(JdbcBackend.class).connections())
                        .isExactlyInstanceOf(DelegatingDataSource.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aware", "lazy", "both"})
    void claimsFindTheTransactionBehindProxies(String proxy) {
        Starter.withJdbc().withUserConfiguration(Proxies.class).withPropertyValues("proxy=" + proxy).run(context -> {
            Claims claims = context.getBean(Claims.class);

            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
                assertThat(claims.isReserved("email", "alice@example.com")).isTrue();
                status.setRollbackOnly();
            });

            assertThat(claims.isAvailable("email", "alice@example.com")).as("after the rollback").isTrue();
        });
    }

    @Test
    void globalTransactionsAreRefused() {
        withJta().run(
                context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("JtaTransactionManager")
                        .hasMessageContaining("reservation.jdbc.data-source"));
    }

    @Test
    void globalTransactionsAreFineIfADataSourceIsNamed() {
        withJta()
                .withPropertyValues("reservation.jdbc.data-source=dataSource")
                .run(context -> assertThat(context.getBean(JdbcBackend.class).transactions().dataSources())
                        .as("claims never join them")
                        .isEmpty());
    }

    @Test
    void globalTransactionsAreFineIfLocksHaveAPoolOfTheirOwn() {
        withJta().withPropertyValues("reservation.jdbc.pool-size=2").run(
                context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }

    @Test
    void aPoolForLocksDoesNotKeepClaimsBesideHazelcastOutOfGlobalTransactions() {
        withJta()
                .withBean(HazelcastInstance.class, ClaimsTest::hazelcast)
                .withBean(ClaimsTest.UsesClaims.class)
                .withPropertyValues("reservation.jdbc.pool-size=2")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("JtaTransactionManager")
                        .hasMessageContaining("reservation.jdbc.data-source"));
    }

    @Test
    void aPoolForLocksDoesNotKeepTheOutboxOutOfGlobalTransactions() {
        withJta()
                .withPropertyValues("reservation.jdbc.pool-size=2", "reservation.outbox.enabled=true")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("JtaTransactionManager")
                        .hasMessageContaining("reservation.jdbc.data-source"));
    }

    /** The transaction manager is never made, because that would need a transaction service. */
    private static ApplicationContextRunner withJta() {
        RootBeanDefinition definition = new RootBeanDefinition(JtaTransactionManager.class);
        definition.setLazyInit(true);
        return Starter.alone()
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBeanDefinition("jta", definition));
    }

    @Test
    void locksCanHaveAPoolOfTheirOwn() {
        Starter.withJdbc()
                .withPropertyValues(
                        "reservation.jdbc.pool-size=2",
                        "spring.datasource.username=sa",
                        "spring.datasource.password=secret",
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.auto-commit=false",
                        "spring.datasource.hikari.data-source-properties.TRACE_LEVEL_FILE=0")
                .run(context -> {
                    HikariDataSource shared = context.getBean(HikariDataSource.class);
                    HikariDataSource own = (HikariDataSource) context.getBean(JdbcBackend.class).connections();
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

                    // The only connection of the shared pool is taken.
                    transaction.executeWithoutResult(status -> context.getBean(ReservationManagers.class)
                            .get("orders")
                            .run("42", held -> assertThat(held.isHeld()).isTrue()));

                    assertThat(own).isNotSameAs(shared);
                    assertThat(own.getMaximumPoolSize()).isEqualTo(2);
                    assertThat(own.isAutoCommit()).isTrue();
                    assertThat(own.getJdbcUrl()).isEqualTo(shared.getJdbcUrl());
                    assertThat(own.getUsername()).isEqualTo("sa");
                    assertThat(own.getPassword()).isEqualTo("secret");
                    assertThat(own.getDataSourceProperties()).containsEntry("TRACE_LEVEL_FILE", "0");
                    context.close();
                    assertThat(own.isClosed()).isTrue();
                });
    }

    @Test
    void aPoolCannotBeMadeFromSettingsThatCannotBeRead() {
        Starter.alone()
                .withUserConfiguration(Unreadable.class)
                .withPropertyValues("reservation.jdbc.pool-size=2")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("reservation.jdbc.pool-size is set, but no pool can be made"));
    }

    @Test
    void aDataSourceWhoseSettingsCannotBeReadWorksWithoutAPool() {
        Starter.alone().withUserConfiguration(Unreadable.class).run(
                context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static BeanPostProcessor proxy(Environment environment) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return name.equals("dataSource") ? wrap((DataSource) bean) : bean;
                }

                private DataSource wrap(DataSource pool) {
                    return switch (environment.getRequiredProperty("proxy")) {
                        case "aware" -> new TransactionAwareDataSourceProxy(pool);
                        case "lazy" -> new LazyConnectionDataSourceProxy(pool);
                        case "both" ->
                            new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(pool));
                        case "hidden" -> new DelegatingDataSource(new TransactionAwareDataSourceProxy(pool));
                        default -> new DelegatingDataSource(pool);
                    };
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unreadable {

        @Bean
        DataSource dataSource() {
            String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            return new AbstractDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    return DriverManager.getConnection(url);
                }

                @Override
                public Connection getConnection(String user, String password) {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }
}
