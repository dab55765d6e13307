// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.ReservationConfigurationException.apply;

import com.github.reservation.claim.JdbcClaimsBuilder;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBuilder;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.spring.ReservationProperties.OutboxSettings;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.unit.DataSize;

/** Auto-configuration of {@link Outbox}, for applications that ask for it. */
@AutoConfiguration(after = ReservationAutoConfiguration.class, before = ClaimsAutoConfiguration.class)
@ConditionalOnBooleanProperty("reservation.outbox.enabled")
@EnableConfigurationProperties(ReservationProperties.class)
@Import(SpringListeners.class)
public final class OutboxAutoConfiguration {

    /** Creates the auto-configuration. */
    OutboxAutoConfiguration() {}

    /** The outbox on the data source of the locks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DataSourceBuilder.class, Outbox.class})
    static class OnDatabase {

        /**
         * After Flyway, Liquibase and the scripts of the application: they may create the tables. {@link OutboxDelivery} closes it: to
         * close it again would wait for a listener that hangs.
         */
        @Bean(destroyMethod = "")
        @ConditionalOnMissingBean
        @DependsOnDatabaseInitialization
        Outbox reservationOutbox(
                ReservationProperties properties,
                ObjectProvider<OutboxCodec> codec,
                ObjectProvider<OutboxCustomizer> customizers,
                ConfigurableListableBeanFactory beans) {
            DataSource dataSource = LockDataSource.shared(properties.jdbc(), beans);
            OutboxSettings settings = properties.outbox();
            OutboxBuilder builder = Outbox.jdbc(dataSource);
            apply("reservation.outbox.table-name", () -> builder.table(settings.tableName()));
            apply("reservation.outbox.retry-for", () -> builder.retryFor(settings.retryFor()));
            apply("reservation.outbox.page-size", () -> builder.pageBytes(bytes(settings.pageSize())));
            apply("reservation.outbox.largest-event", () -> builder.largestEvent(bytes(settings.largestEvent())));
            apply("reservation.outbox.absent-after", () -> builder.absentAfter(settings.absentAfter()));
            if (settings.dropAbsent()) {
                builder.dropAbsent();
            }
            apply("reservation.outbox.poll-interval", () -> builder.pollInterval(settings.pollInterval()));
            apply("reservation.outbox.lease-time", () -> builder.leaseTime(settings.leaseTime()));
            if (properties.jdbc().database() != null) {
                builder.database(properties.jdbc().database());
            }
            codec.ifUnique(builder::codec);
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            StoreTable.ofOutbox(properties, dataSource).prepare();
            return builder.build();
        }

        /** Returns the size as the builder takes it, which refuses what is not an int. */
        private static int bytes(DataSize size) {
            return Math.clamp(size.toBytes(), Integer.MIN_VALUE, Integer.MAX_VALUE);
        }

        @Bean
        @ConditionalOnMissingBean
        TransactionalOutbox reservationTransactionalOutbox(
                Outbox outbox, ReservationProperties properties, ConfigurableListableBeanFactory beans) {
            return new TransactionalOutbox(outbox, CallersTransaction.of(properties.jdbc(), beans));
        }

        @Bean
        OutboxDelivery reservationOutboxDelivery(
                Outbox outbox, SpringListeners listeners, ReservationProperties properties) {
            return new OutboxDelivery(outbox, listeners, properties.outbox().listenerId());
        }

        /** First, so that customizers of the application have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ClaimsCustomizer<JdbcClaimsBuilder> reservationClaimsOutbox(Outbox outbox, OutboxDelivery delivery) {
            return builder -> builder.outbox(outbox, delivery::wants);
        }
    }

    /** Says what is missing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("com.github.reservation.outbox.Outbox")
    static class WithoutOutbox {

        WithoutOutbox() {
            throw new ReservationConfigurationException(
                    "reservation.outbox.enabled is true, but the outbox is not on the class path.",
                    "Add com.github.reservation:reservation-pattern, or remove the property.");
        }
    }

    /** Says what is missing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Outbox.class)
    @ConditionalOnMissingClass("org.springframework.boot.jdbc.DataSourceBuilder")
    static class WithoutDatabase {

        WithoutDatabase() {
            throw new ReservationConfigurationException(
                    "reservation.outbox.enabled is true, but Spring's support for JDBC is not on the class path.",
                    "Add org.springframework.boot:spring-boot-starter-jdbc, or remove the property.");
        }
    }

    /** Binds the meters to the application's registry, if Micrometer is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, Outbox.class})
    static class Meters {

        /** First, so that customizers of the application have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        OutboxCustomizer reservationOutboxMeters(ObjectProvider<MeterRegistry> registry) {
            return builder -> builder.meterRegistry(registry.getIfUnique());
        }
    }
}
