// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.LossListener;
import com.github.reservation.ReservationListener;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Auto-configuration of {@link ReservationManagers}, {@link LockProvider} and {@link LockManager}, on the backend that the context offers. */
@AutoConfiguration
@EnableConfigurationProperties(ReservationProperties.class)
@ImportRuntimeHints(ReservationRuntimeHints.class)
public final class ReservationAutoConfiguration {

    /** Creates the auto-configuration. */
    ReservationAutoConfiguration() {}

    /** After Flyway, Liquibase and the scripts of the application: they may create the lock table. */
    @Bean
    @ConditionalOnMissingBean(ReservationManagers.class)
    @DependsOnDatabaseInitialization
    Backend reservationBackend(ReservationProperties properties, ConfigurableListableBeanFactory beans) {
        return new BackendChoice(properties, beans).open();
    }

    @Bean
    @ConditionalOnMissingBean
    ReservationManagers reservationManagers(
            Backend backend,
            ReservationProperties properties,
            ObjectProvider<ReservationManagerCustomizer<?>> customizers,
            ObjectProvider<LossListener> lossListeners,
            ObjectProvider<ReservationListener> listeners,
            ObjectProvider<ObservationRegistry> observations) {
        return new ReservationManagers(new ManagerFactory(
                backend,
                properties.leaseTime(),
                Optional.ofNullable(properties.autoRenew().maxHold()),
                Optional.ofNullable(properties.holderLabel()),
                customizers.orderedStream().toList(),
                lossListeners.orderedStream().toList(),
                listeners.orderedStream().toList(),
                observations));
    }

    /** Lazy: its domain needs no manager unless a bean uses it. Not called lockProvider: ShedLock's users call theirs so. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockProvider reservationLockProvider(ReservationManagers managers, ReservationProperties properties) {
        return managers.get(properties.leases().domain()).lockProvider();
    }

    /** Lazy, like the provider. {@link ReservationManagers} closes it. A manager of the application takes its place. */
    @Bean(destroyMethod = "")
    @Lazy
    @ConditionalOnMissingBean
    LockManager reservationLockManager(ReservationManagers managers, ReservationProperties properties) {
        return managers.get(properties.leases().domain());
    }

    /** Binds the meters to the application's registry, if Micrometer is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        /** First, so that customizers of the application have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ReservationManagerCustomizer<AbstractReservationManagerBuilder<?>> reservationMeters(
                ObjectProvider<MeterRegistry> registry) {
            return (domain, builder) -> builder.meterRegistry(registry.getIfUnique());
        }
    }
}
