// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.expiration.ApplicationEvents;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Which listeners of Spring receive the events of expired rows. */
class ExpiredEventsTest {

    private final ApplicationContextRunner runner = Starter.withJdbc().withBean(Listeners.class);

    @Test
    void withoutATransactionAllOfThemReceiveAnEventOnce_butThoseThatItsCommitOrRollbackConcern() {
        runner.run(context -> {
            context.getBean(ApplicationEvents.class).publish(new Expired(1));

            Listeners listeners = context.getBean(Listeners.class);
            assertThat(listeners.plain).hasSize(1);
            assertThat(listeners.afterCommit).hasSize(1);
            assertThat(listeners.withFallback).hasSize(1);
            assertThat(listeners.before).isEmpty();
        });
    }

    @Test
    void aListenerThatFailsTakesTheEventFromNoneThatWaitsForTheCommit() {
        runner.withBean(Careless.class).run(context -> {
            ApplicationEvents events = context.getBean(ApplicationEvents.class);

            events.publish(new Expired(1));

            assertThat(context.getBean(Listeners.class).afterCommit).containsExactly(new Expired(1));
        });
    }

    @Test
    void inATransactionATransactionalListenerWaitsForItsEnd() {
        runner.run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                context.getBean(ApplicationEvents.class).publish(new Expired(1));
                assertThat(listeners.plain).hasSize(1);
                assertThat(listeners.afterCommit).isEmpty();
            });
            transaction.executeWithoutResult(status -> {
                context.getBean(ApplicationEvents.class).publish(new Expired(2));
                status.setRollbackOnly();
            });

            assertThat(listeners.afterCommit).containsExactly(new Expired(1));
            assertThat(listeners.withFallback).containsExactly(new Expired(1));
            assertThat(listeners.before).containsExactly(new Expired(1));
        });
    }

    @Test
    void theApplicationsOwnPublisherTakesItsPlace() {
        ApplicationEvents own = ApplicationEvents.create();
        runner.withBean("own", ApplicationEvents.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(ApplicationEvents.class);

            context.getBean(ApplicationEvents.class).publish(new Expired(1));

            assertThat(context.getBean(Listeners.class).plain).as("it passes nothing on to Spring").isEmpty();
        });
    }

    record Expired(long id) {}

    static class Careless {

        @EventListener
        @Order(Ordered.LOWEST_PRECEDENCE)
        public void plain(Expired event) {
            throw new IllegalStateException("a careless listener");
        }

        @TransactionalEventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        public void first(Expired event) {
            throw new IllegalStateException("another careless listener");
        }
    }

    static class Listeners {

        final List<Expired> plain = new CopyOnWriteArrayList<>();
        final List<Expired> afterCommit = new CopyOnWriteArrayList<>();
        final List<Expired> before = new CopyOnWriteArrayList<>();
        final List<Expired> withFallback = new CopyOnWriteArrayList<>();

        @EventListener
        public void plain(Expired event) {
            plain.add(event);
        }

        @TransactionalEventListener
        public void afterCommit(Expired event) {
            afterCommit.add(event);
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void before(Expired event) {
            before.add(event);
        }

        @TransactionalEventListener(fallbackExecution = true)
        public void withFallback(Expired event) {
            withFallback.add(event);
        }
    }
}
