// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.lease.LockManager;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The starter without reservation-pattern: locks work, and nothing else is configured. {@link SmallestApplicationTest} starts a JVM
 * that really has no such classes.
 */
class WithoutPatternTest {

    private static final FilteredClassLoader WITHOUT = new FilteredClassLoader(
            "com.github.reservation.claim", "com.github.reservation.expiration", "com.github.reservation.outbox");

    private static void assertThatOnlyLocksWork(ApplicationContextRunner runner) {
        runner.withClassLoader(WITHOUT).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(LockManager.class).tryRun("report", lock -> {}).isExecuted()).isTrue();
            assertThat(context.getBean(ReservationManagers.class).get("orders").getReservation("42").tryLock())
                    .isTrue();
            assertThat(context).hasBean("reservationsHealthIndicator");
            for (Class<?> absent : new Class<?>[]{ClaimsAutoConfiguration.class, ExpirationAutoConfiguration.class,
                    OutboxAutoConfiguration.class, HealthDetail.class, OutboxEndpoint.class}) {
                assertThat(context).doesNotHaveBean(absent);
            }
        });
    }

    @Test
    void locksWorkInMemory() {
        assertThatOnlyLocksWork(Starter.inMemory());
    }

    @Test
    void locksWorkInADatabase() {
        assertThatOnlyLocksWork(Starter.withJdbc());
    }

    @Test
    void anOutboxThatIsAskedForNeedsItsJar() {
        Starter.withJdbc()
                .withClassLoader(WITHOUT)
                .withPropertyValues("reservation.outbox.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ReservationConfigurationException.class)
                        .hasMessageContainingAll("reservation.outbox.enabled", "reservation-pattern"));
    }
}
