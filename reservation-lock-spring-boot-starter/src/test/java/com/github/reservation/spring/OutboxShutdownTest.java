// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.OutboxApplication.ship;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.spring.OutboxApplication.Shipped;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;

/** A listener of the {@link OutboxApplication} that is busy when the application ends. */
class OutboxShutdownTest {

    private final ApplicationContextRunner runner = OutboxApplication.runner();

    @Test
    void aListenerThatRunsDuringTheShutdownMayUseTheDatabase() {
        runner.withUserConfiguration(Blocking.class).run(context -> {
            Blocking blocking = context.getBean(Blocking.class);
            ship(context, "1");
            blocking.started.await();

            Thread closing = Thread.ofPlatform().start(context::close);
            blocking.closing.await();
            blocking.goOn.countDown();
            closing.join();

            assertThat(blocking.results).containsExactly(1);
        });
    }

    @Test
    void aListenerThatHangsDoesNotPreventTheShutdown() {
        runner.withUserConfiguration(Blocking.class)
                .withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=200ms")
                .run(context -> {
                    Blocking blocking = context.getBean(Blocking.class);
                    ship(context, "1");
                    blocking.started.await();

                    Thread closing = Thread.ofPlatform().daemon().start(context::close);

                    try {
                        assertThat(closing.join(Duration.ofMinutes(1))).as("closed").isTrue();
                        assertThat(blocking.results).as("the listener still hangs").isEmpty();
                    } finally {
                        blocking.goOn.countDown();
                    }
                });
    }

    /** A listener that is in the middle of its work when the context is closed, and needs the database then. */
    @Configuration(proxyBeanMethods = false)
    static class Blocking implements ApplicationListener<ContextClosedEvent> {

        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch closing = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<Integer> results = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Blocking(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @EventListener
        void on(Shipped event) throws InterruptedException {
            started.countDown();
            goOn.await();
            results.add(jdbc.queryForObject("SELECT 1", Integer.class));
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }
    }
}
