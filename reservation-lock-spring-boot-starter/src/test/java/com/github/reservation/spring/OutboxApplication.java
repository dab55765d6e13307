// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with an outbox, which ships orders and listens to what it delivers. */
final class OutboxApplication {

    private OutboxApplication() {}

    /** With all listeners. */
    static ApplicationContextRunner runner() {
        return withoutListeners().withUserConfiguration(Listeners.class);
    }

    static ApplicationContextRunner withoutListeners() {
        return Starter.withJdbc()
                .withUserConfiguration(ShortPauses.class)
                .withPropertyValues(
                        "reservation.outbox.enabled=true",
                        "reservation.outbox.poll-interval=20ms",
                        "reservation.outbox.retry-for=20ms");
    }

    static void ship(AssertableApplicationContext context, String order) {
        append(context, "order-" + order, new Shipped(order));
    }

    /** Appends events of one key, in one transaction. */
    static void append(AssertableApplicationContext context, String key, Object... events) {
        transaction(context).executeWithoutResult(status -> context.getBean(TransactionalOutbox.class)
                .appendAll(Stream.of(events).map(event -> new OutboxMessage(key, event)).toList()));
    }

    static TransactionTemplate transaction(AssertableApplicationContext context) {
        return context.getBean(TransactionTemplate.class);
    }

    public record Shipped(String order) {}

    @Configuration(proxyBeanMethods = false)
    static class ShortPauses {

        @Bean
        OutboxCustomizer shortPauses() {
            return builder -> builder.pauses(Duration.ofMillis(10), Duration.ofMillis(10));
        }
    }

    /** Listeners of Spring, the first calls of which fail if a test says so. */
    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        final List<Shipped> shipped = new CopyOnWriteArrayList<>();
        final List<ClaimEvent> claims = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger();
        final AtomicInteger calls = new AtomicInteger();

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
