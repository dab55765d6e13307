// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the endpoints {@code reservations} and {@code reservationoutbox}, and of their part in the endpoints {@code health} and {@code info}. */
@AutoConfiguration(after = {ReservationAutoConfiguration.class, OutboxAutoConfiguration.class,
        ExpirationAutoConfiguration.class})
public final class ReservationActuatorAutoConfiguration {

    /** Creates the auto-configuration. */
    ReservationActuatorAutoConfiguration() {}

    /** The endpoint, if the actuator is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnBean(ReservationManagers.class)
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        ReservationsEndpoint reservationsEndpoint(ReservationManagers managers) {
            return new ReservationsEndpoint(managers);
        }

        @Bean
        @ConditionalOnBean(OutboxDelivery.class)
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        OutboxEndpoint reservationOutboxEndpoint(OutboxDelivery delivery) {
            return new OutboxEndpoint(delivery.outbox());
        }
    }

    /** The health indicator, if health is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthConfiguration {

        @Bean
        @ConditionalOnBean(ReservationManagers.class)
        @ConditionalOnMissingBean(name = "reservationsHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("reservations")
        HealthIndicator reservationsHealthIndicator(
                ReservationManagers managers,
                ObjectProvider<Backend> backend,
                ObjectProvider<HealthDetail> details) {
            return new ReservationsHealthIndicator(
                    managers, Optional.ofNullable(backend.getIfAvailable()), details);
        }
    }

    /** What the endpoint {@code info} says, if the actuator is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
    static class InfoConfiguration {

        @Bean
        @ConditionalOnBean(ReservationManagers.class)
        @ConditionalOnMissingBean(name = "reservationsInfoContributor")
        @ConditionalOnEnabledInfoContributor("reservations")
        InfoContributor reservationsInfoContributor(
                ReservationManagers managers, ReservationProperties properties, ObjectProvider<Backend> backend) {
            return new ReservationsInfoContributor(
                    managers, properties, Optional.ofNullable(backend.getIfAvailable()));
        }
    }
}
