// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Auto-configuration of {@link Claims}, on the backend of the locks. */
@AutoConfiguration(after = ReservationAutoConfiguration.class)
@ConditionalOnClass(Claims.class)
@Import(SpringListeners.class)
public final class ClaimsAutoConfiguration {

    /** Creates the auto-configuration. */
    ClaimsAutoConfiguration() {}

    /** Lazy: an application that uses no claims needs no table for them. */
    @Bean
    @Lazy
    @ConditionalOnBean(Backend.class)
    @ConditionalOnMissingBean
    Claims reservationClaims(
            Backend backend,
            ObjectProvider<ClaimsCustomizer<?>> customizers,
            ObjectProvider<OutboxDelivery> outbox,
            SpringListeners listeners) {
        Claims claims = new BackendClaims(
                backend, builder -> customize(builder, customizers.orderedStream().toList())).open();
        if (outbox.getIfAvailable() == null || backend.database().isEmpty()) { // Otherwise the outbox passes the events on.
            claims.onEvent(listeners::publish);
        }
        return claims;
    }

    @SuppressWarnings("unchecked") // LambdaSafe calls only the customizers of this type of builder.
    private static void customize(ClaimsBuilder<?> builder, List<ClaimsCustomizer<?>> customizers) {
        LambdaSafe.callbacks(ClaimsCustomizer.class, customizers, builder)
                .withLogger(ClaimsCustomizer.class)
                .invoke(customizer -> customizer.customize(builder));
    }

    /** Binds the meters to the application's registry, if Micrometer is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        /** First, so that customizers of the application have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ClaimsCustomizer<ClaimsBuilder<?>> reservationClaimMeters(
                ObjectProvider<MeterRegistry> registry) {
            return builder -> builder.meterRegistry(registry.getIfUnique());
        }
    }
}
