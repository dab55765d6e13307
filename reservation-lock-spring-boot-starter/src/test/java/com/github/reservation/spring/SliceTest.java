// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult.Success;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;

/** Tests of a part of an application, with the starter on their class path. */
class SliceTest {

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = Application.class)
    class WithoutTheStarter {

        @Test
        void theSliceStartsAndReservedMethodsRunWithoutALock(
                @Autowired ApplicationContext context, @Autowired Orders orders) {
            assertThat(context.getBeanNamesForType(ReservationManagers.class)).isEmpty();
            assertThat(orders.ship("42")).isFalse();
        }
    }

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = Application.class)
    @ImportAutoConfiguration({ReservationAutoConfiguration.class, ReservedAutoConfiguration.class,
            ClaimsAutoConfiguration.class})
    class WithTheStarter {

        @Test
        void reservedMethodsLockInsideTheTransactionOfTheTest(@Autowired Orders orders) {
            assertThat(orders.ship("42")).isTrue();
        }

        @RepeatedTest(2)
        void claimsAreRolledBackWithTheTransactionOfTheTest(@Autowired Claims claims) {
            assertThat(claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL))
                    .isInstanceOf(Success.class);
        }
    }

    static class Orders {

        @Reserved(domain = "orders", key = "#id")
        public boolean ship(String id) {
            return CurrentReservation.find().isPresent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }
}
