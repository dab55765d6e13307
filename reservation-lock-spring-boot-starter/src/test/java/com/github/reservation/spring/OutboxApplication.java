// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.ClaimEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with an outbox, which ships orders and listens to what it delivers. */
final class OutboxApplication {

    private OutboxApplication() {}

    static ApplicationContextRunner runner() {
        return Starter.withJdbc()
                .withUserConfiguration(Listeners.class)
                .withPropertyValues(
                        "reservation.outbox.enabled=true",
                        "reservation.outbox.poll-interval=20ms",
                        "reservation.outbox.max-attempts=3",
                        "reservation.outbox.event-types=" + Shipped.class.getName());
    }

    static void ship(AssertableApplicationContext context, String order) {
        transaction(context).executeWithoutResult(
                status -> context.getBean(TransactionalOutbox.class).append("order-" + order, new Shipped(order)));
    }

    static TransactionTemplate transaction(AssertableApplicationContext context) {
        return context.getBean(TransactionTemplate.class);
    }

    public record Shipped(String order) {}

    /** Listeners of Spring, the first calls of which fail if a test says so. */
    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        final List<Shipped> shipped = new CopyOnWriteArrayList<>();
        final List<ClaimEvent> claims = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger();
        final AtomicInteger calls = new AtomicInteger();

        @Bean
        OutboxCustomizer shortPauses() {
            return builder -> builder.pauses(Duration.ofMillis(10), Duration.ofMillis(10));
        }

        @EventListener
        void on(Shipped event) {
            call();
            shipped.add(event);
        }

        @EventListener
        void on(ClaimEvent event) {
            call();
            claims.add(event);
        }

        private void call() {
            calls.incrementAndGet();
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("not yet");
            }
        }
    }
}
