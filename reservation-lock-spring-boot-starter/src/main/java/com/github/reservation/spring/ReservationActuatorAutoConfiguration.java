// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the endpoint {@code reservations} and the health indicator of the same name. */
@AutoConfiguration(after = {ReservationAutoConfiguration.class, ExpirationAutoConfiguration.class})
public final class ReservationActuatorAutoConfiguration {

    /** Creates the auto-configuration. */
    ReservationActuatorAutoConfiguration() {}

    /** The endpoint, if the actuator is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        ReservationsEndpoint reservationsEndpoint(ReservationManagers managers) {
            return new ReservationsEndpoint(managers);
        }
    }

    /** The health indicator, if health is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "reservationsHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("reservations")
        HealthIndicator reservationsHealthIndicator(
                ReservationManagers managers, ObjectProvider<ExpirationSchedule> schedule) {
            return new ReservationsHealthIndicator(
                    managers,
                    () -> Optional.ofNullable(schedule.getIfAvailable()).flatMap(ExpirationSchedule::lastRun));
        }
    }
}
