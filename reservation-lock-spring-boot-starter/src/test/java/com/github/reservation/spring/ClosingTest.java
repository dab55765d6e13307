// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.reservation.ReservationManager;
import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.ExpirationTally;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** What a context opened it closes: first the work, then the managers, then the pools. */
class ClosingTest {

    private final ApplicationContextRunner runner = Starter.withJdbc();

    @Test
    void claimsAndManagersAreClosedBeforeTheDataSource() {
        runner.withUserConfiguration(Watched.class).withPropertyValues("reservation.jdbc.pool-size=2").run(context -> {
            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            assertThat(context.getBean(Claims.class).isAvailable("email", "alice@example.com")).isTrue();
            HikariDataSource own = (HikariDataSource) context.getBean(JdbcBackend.class).connections();
            List<String> closed = context.getBean(Watched.class).closed;

            context.close();

            assertThat(closed).containsExactly("claims", "managers", "pool");
            assertThatIllegalStateException().isThrownBy(() -> orders.getReservation("42").lock());
            assertThat(own.isClosed()).isTrue();
        });
    }

    @Test
    void aJobThatTheApplicationStartedIsClosed() {
        Starter.inMemory().run(context -> {
            ExpirationJob job = context.getBean(ExpirationJob.class).start();

            context.close();

            assertThatIllegalStateException().isThrownBy(job::runOnce).withMessage("The job is closed");
        });
    }

    @Test
    void aJobOfTheApplicationWhoseSourceHangsDoesNotPreventTheShutdown() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Hanging hanging = new Hanging(new CountDownLatch(1), mayEnd);
        Starter.inMemory()
                .withBean(ExpirationJob.class, () -> ExpirationJob.builder()
                        .source(hanging)
                        .closeTimeout(Duration.ofMillis(100))
                        .build()
                        .start())
                .run(context -> {
                    hanging.started.await();

                    Thread closing = Thread.ofPlatform().daemon().start(context::close);

                    try {
                        assertThat(closing.join(Duration.ofMinutes(1))).as("closed").isTrue();
                    } finally {
                        mayEnd.countDown();
                    }
                });
    }

    record Hanging(CountDownLatch started, CountDownLatch mayEnd) implements ExpirationSource {

        @Override
        public String name() {
            return "hanging";
        }

        @Override
        public void expire(ExpirationTally tally) throws InterruptedException {
            started.countDown();
            mayEnd.await();
        }

        @Override
        public Duration lag() {
            return Duration.ZERO;
        }
    }

    @Test
    void aJobOfAContextThatFailsHalfWayIsClosed() {
        AtomicReference<ExpirationJob> job = new AtomicReference<>();
        Starter.inMemory()
                .withInitializer(context -> ((GenericApplicationContext) context).registerBean(
                        "failing",
                        Object.class,
                        () -> {
                            job.set(context.getBean(ExpirationJob.class).start());
                            throw new IllegalStateException("half-way");
                        }))
                .run(context -> {
                    assertThat(context.getStartupFailure()).rootCause().hasMessage("half-way");
                    assertThatIllegalStateException().isThrownBy(() -> job.get().runOnce())
                            .withMessage("The job is closed");
                });
    }

    @Test
    void workThatRunsDuringTheShutdownKeepsItsLockAndReleasesIt() {
        runner.withUserConfiguration(Working.class).run(context -> {
            Worker worker = context.getBean(Worker.class);
            Future<Boolean> work = context.getBean(ThreadPoolTaskExecutor.class).submit(() -> worker.work("42"));
            Gate gate = context.getBean(Gate.class);
            gate.started.await();

            Thread closing = Thread.ofPlatform().start(context::close);
            gate.closing.await();
            gate.goOn.countDown();
            closing.join();

            assertThat(work.get()).as("held and released by an open manager").isTrue();
        });
    }

    @Test
    void aContextThatFailsHalfWayClosesWhatItOpened() {
        Opened.pool = null;
        Opened.manager = null;

        runner.withUserConfiguration(Opened.class).withPropertyValues("reservation.jdbc.pool-size=2").run(context -> {
            assertThat(context.getStartupFailure()).rootCause().hasMessage("half-way");
            assertThat(Opened.pool.isClosed()).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> Opened.manager.getReservation("42").lock());
        });
    }

    /** Writes down what is closed, and when. */
    @Configuration(proxyBeanMethods = false)
    static class Watched implements DestructionAwareBeanPostProcessor {

        final List<String> closed = new ArrayList<>();

        @Override
        public void postProcessBeforeDestruction(Object bean, String name) {
            if (bean instanceof ReservationManagers) {
                closed.add("managers");
            } else if (bean instanceof Claims) {
                closed.add("claims");
            } else if (bean instanceof HikariDataSource) {
                closed.add("pool");
            }
        }
    }

    record Gate(CountDownLatch started, CountDownLatch closing, CountDownLatch goOn) {}

    static class Worker {

        private final ReservationManagers managers;
        private final Gate gate;

        Worker(ReservationManagers managers, Gate gate) {
            this.managers = managers;
            this.gate = gate;
        }

        @Reserved(domain = "orders", key = "#id")
        public boolean work(String id) throws InterruptedException {
            gate.started.countDown();
            gate.goOn.await();
            return CurrentReservation.get().renew() && managers.get("orders").getReservation("43").tryLock();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Working {

        @Bean
        Gate gate() {
            return new Gate(new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1));
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closing(Gate gate) {
            return event -> gate.closing.countDown();
        }

        @Bean
        Worker worker(ReservationManagers managers, Gate gate) {
            return new Worker(managers, gate);
        }

        @Bean
        ThreadPoolTaskExecutor executor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(10);
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Opened {

        static HikariDataSource pool;
        static ReservationManager manager;

        @Bean
        Object opening(ReservationManagers managers, Backend backend) {
            manager = managers.get("orders");
            manager.run("42", held -> {});
            pool = (HikariDataSource) ((JdbcBackend) backend).connections();
            return new Object();
        }

        @Bean
        @DependsOn("opening")
        Object failing() {
            throw new IllegalStateException("half-way");
        }
    }
}
