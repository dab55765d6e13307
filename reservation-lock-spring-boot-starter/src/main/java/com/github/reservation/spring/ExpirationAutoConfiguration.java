// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ApplicationEvents;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationJobBuilder;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.Transactor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** Auto-configuration of {@link ExpirationJob}, which runs all beans of type {@link ExpirationSource}, and the sweep of claims. */
@AutoConfiguration(after = ClaimsAutoConfiguration.class)
@ConditionalOnClass(ExpirationJob.class)
@EnableConfigurationProperties(ReservationProperties.class)
@Import(SpringListeners.class)
public final class ExpirationAutoConfiguration {

    /** Creates the auto-configuration. */
    ExpirationAutoConfiguration() {}

    /** Passes events of expired rows on to the listeners of Spring. */
    @Bean
    @ConditionalOnMissingBean
    ApplicationEvents reservationApplicationEvents(SpringListeners listeners) {
        ApplicationEvents publisher = ApplicationEvents.create();
        publisher.on(Object.class, listeners::publish);
        return publisher;
    }

    /** The job and its schedule, unless the application has a job of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "reservation.expiration.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(ExpirationJob.class)
    static class JobConfiguration {

        /**
         * Lazy: without sources there is nothing to run. {@link ExpirationSchedule} closes it: to close it again would wait for a
         * source that hangs.
         */
        @Bean(destroyMethod = "")
        @Lazy
        ExpirationJob reservationExpirationJob(
                ObjectProvider<ExpirationSource> sources,
                ObjectProvider<ExpirationJobCustomizer> customizers,
                ObjectProvider<ObservationRegistry> observations,
                ReservationProperties properties,
                ExpirationSchedule schedule,
                ConfigurableListableBeanFactory beans) {
            ExpirationJobBuilder builder = ExpirationJob.builder();
            List<ExpirationSource> all = sources.orderedStream()
                    .map(source -> observed(source, observations))
                    .toList();
            all.forEach(source -> add(source, properties.expiration().interval(), builder));
            if (all.stream().noneMatch(source -> source.name().equals(UsedClaims.NAME))) {
                builder.source(observed(new UsedClaims(beans), observations));
            }
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            return schedule.keep(builder.build());
        }

        private static ExpirationSource observed(
                ExpirationSource source, ObjectProvider<ObservationRegistry> observations) {
            return new ObservedSource(source, () -> observations.getIfUnique(() -> ObservationRegistry.NOOP));
        }

        private static void add(ExpirationSource source, @Nullable Duration interval, ExpirationJobBuilder builder) {
            builder.source(source, interval == null ? source.interval() : interval);
        }

        @Bean
        ExpirationSchedule reservationExpirationSchedule(
                ObjectProvider<ExpirationJob> jobs,
                ObjectProvider<ExpirationSource> sources,
                ConfigurableListableBeanFactory beans) {
            return new ExpirationSchedule(jobs, sources, new UsedClaims(beans));
        }
    }

    /** What runs the transactions of sources, if Spring's are there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DataSourceUtils.class, PlatformTransactionManager.class})
    static class Transactions {

        /** Lazy: it needs one data source, and an application may have several. */
        @Bean
        @Lazy
        @ConditionalOnMissingBean
        Transactor reservationTransactor(
                ObjectProvider<PlatformTransactionManager> managers, DataSource dataSource) {
            PlatformTransactionManager manager = managers.getIfUnique();
            return manager == null ? Transactor.of(dataSource) : new SpringTransactor(manager, dataSource);
        }
    }

    /** Binds the meters to the application's registry, if Micrometer is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        /** First, so that customizers of the application have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ExpirationJobCustomizer reservationExpirationMeters(ObjectProvider<MeterRegistry> registry) {
            return builder -> builder.meterRegistry(registry.getIfUnique());
        }
    }
}
