// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A data source that chooses the database by the calling thread cannot keep reservations. */
class RoutingDataSourceTest {

    private final ApplicationContextRunner runner =
            Starter.alone().withUserConfiguration(Tenants.class).withPropertyValues("proxy=none");

    @ParameterizedTest
    @ValueSource(strings = {"none", "lazy", "aware", "other", "aop", "aware and other"})
    void isRefused(String proxy) {
        runner.withPropertyValues("proxy=" + proxy).run(context -> assertIsRefused(context.getStartupFailure()));
    }

    @Test
    void isRefusedAlsoIfLocksAreToHaveAPool() {
        runner.withPropertyValues("reservation.jdbc.pool-size=2").run(
                context -> assertIsRefused(context.getStartupFailure()));
    }

    @Test
    void isRefusedIfItIsTheOneThatIsNamed() {
        runner.withPropertyValues("reservation.jdbc.data-source=tenants").run(
                context -> assertIsRefused(context.getStartupFailure()));
    }

    @Test
    void isRefusedForClaimsAndOutboxBesideHazelcast() {
        ApplicationContextRunner besideHazelcast = runner.withBean(HazelcastInstance.class, ClaimsTest::hazelcast);

        besideHazelcast.withBean(ClaimsTest.UsesClaims.class).run(
                context -> assertIsRefused(context.getStartupFailure()));
        besideHazelcast.withPropertyValues("reservation.outbox.enabled=true").run(
                context -> assertIsRefused(context.getStartupFailure()));
    }

    private static void assertIsRefused(Throwable failure) {
        assertThat(failure).isNotNull().rootCause()
                .isInstanceOf(ReservationConfigurationException.class)
                .hasMessageContaining("The data source tenants is an AbstractRoutingDataSource")
                .hasMessageContaining("by the calling thread")
                .hasMessageContaining("Set reservation.jdbc.data-source");
    }

    @Test
    void isNoProblemIfAFixedDataSourceIsNamed() {
        runner.withPropertyValues("reservation.jdbc.data-source=fixed").run(context -> {
            assertThat(context.getBean(JdbcBackend.class).connections()).isSameAs(context.getBean("fixed"));
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        @Bean
        @Primary
        DataSource tenants(DataSource fixed, Environment environment) throws Exception {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return Thread.currentThread().getName();
                }
            };
            routing.setTargetDataSources(Map.of());
            routing.setDefaultTargetDataSource(fixed);
            routing.afterPropertiesSet();
            return switch (environment.getRequiredProperty("proxy")) {
                case "lazy" -> new LazyConnectionDataSourceProxy(routing);
                case "aware" -> new TransactionAwareDataSourceProxy(routing);
                case "other" -> new DelegatingDataSource(routing);
                case "aop" -> (DataSource) new ProxyFactory(routing).getProxy();
                case "aware and other" -> new TransactionAwareDataSourceProxy(new DelegatingDataSource(routing));
                default -> routing;
            };
        }

        @Bean
        DataSource fixed() {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return dataSource;
        }
    }
}
