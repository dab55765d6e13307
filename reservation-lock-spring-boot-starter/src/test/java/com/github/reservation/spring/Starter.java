// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;

/** Contexts with the starter in them. */
final class Starter {

    private Starter() {}

    /** Nothing but the starter. */
    static ApplicationContextRunner alone() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
                ReservationAutoConfiguration.class,
                OutboxAutoConfiguration.class,
                ClaimsAutoConfiguration.class,
                ExpirationAutoConfiguration.class,
                ReservedAutoConfiguration.class,
                ReservationActuatorAutoConfiguration.class));
    }

    /** The starter, reservations in memory. */
    static ApplicationContextRunner inMemory() {
        return alone().withPropertyValues("reservation.backend=memory");
    }

    /** The starter with what Spring Boot makes of spring-boot-starter-jdbc, on an H2 of its own unless a URL is set. */
    static ApplicationContextRunner withJdbc() {
        return alone().withConfiguration(AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                TransactionManagerCustomizationAutoConfiguration.class));
    }
}
