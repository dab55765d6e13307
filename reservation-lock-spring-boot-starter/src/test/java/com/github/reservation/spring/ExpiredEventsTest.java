// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.expiration.ApplicationEvents;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Which listeners of Spring receive the events of expired rows. */
@ExtendWith(OutputCaptureExtension.class)
class ExpiredEventsTest {

    private static final String MISSED = Listeners.class.getName() + ".afterCommit is a @TransactionalEventListener";

    private final ApplicationContextRunner runner = Starter.withJdbc().withBean(Listeners.class);

    @Test
    void aTransactionalListenerThatMissesEventsIsNamedOnce(CapturedOutput output) {
        runner.run(context -> {
            ApplicationEvents publisher = context.getBean(ApplicationEvents.class);
            publisher.publish(new Unheard());
            assertThat(output).doesNotContain(MISSED);

            publisher.publish(new Expired(1));
            publisher.publish(new Expired(2));

            Listeners listeners = context.getBean(Listeners.class);
            assertThat(listeners.plain).hasSize(2);
            assertThat(listeners.withFallback).hasSize(2);
            assertThat(listeners.afterCommit).isEmpty();
            assertThat(output).containsOnlyOnce(MISSED).contains(Expired.class.getName(), "fallbackExecution = true");
        });
    }

    @Test
    void anEventOfATransactionReachesAllOfThem(CapturedOutput output) {
        runner.run(context -> {
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(
                    status -> context.getBean(ApplicationEvents.class).publish(new Expired(1)));

            assertThat(context.getBean(Listeners.class).afterCommit).hasSize(1);
            assertThat(output).doesNotContain(MISSED);
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

    record Unheard() {}

    static class Listeners {

        final List<Expired> plain = new CopyOnWriteArrayList<>();
        final List<Expired> afterCommit = new CopyOnWriteArrayList<>();
        final List<Expired> withFallback = new CopyOnWriteArrayList<>();

        @EventListener
        public void plain(Expired event) {
            plain.add(event);
        }

        @TransactionalEventListener
        public void afterCommit(Expired event) {
            afterCommit.add(event);
        }

        @TransactionalEventListener(fallbackExecution = true)
        public void withFallback(Expired event) {
            withFallback.add(event);
        }
    }
}
