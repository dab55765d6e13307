// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

/** Health of an application that has used no domain yet: the store is asked all the same. */
class HealthTest {

    @Test
    void aPoolThatHasNoConnectionsIsSeenBeforeTheFirstLock() {
        Starter.withJdbc().run(context -> {
            assertThat(health(context)).isEqualTo(Status.UP);

            ((HikariDataSource) context.getBean(JdbcBackend.class).connections()).close();

            assertThat(health(context)).isEqualTo(Status.DOWN);
            assertThat(context.getBean(ReservationManagers.class).domains()).isEmpty();
        });
    }

    /** An application that uses claims alone may have no table for locks. */
    @Test
    void aDatabaseWithoutALockTableAnswers() {
        Starter.withJdbc().withPropertyValues("reservation.jdbc.initialize-schema=never").run(
                context -> assertThat(health(context)).isEqualTo(Status.UP));
    }

    @Test
    void askingTheStoreUsesNoDomain() {
        Starter.inMemory().withBean(InMemoryStore.class).run(context -> {
            assertThat(health(context)).isEqualTo(Status.UP);

            context.getBean(InMemoryStore.class).failWith(Fault.UNAVAILABLE);

            assertThat(health(context)).isEqualTo(Status.DOWN);
            assertThat(context.getBean(ReservationManagers.class).domains()).isEmpty();
        });
    }

    private static Status health(ApplicationContext context) {
        return context.getBean(HealthIndicator.class).health().getStatus();
    }
}
