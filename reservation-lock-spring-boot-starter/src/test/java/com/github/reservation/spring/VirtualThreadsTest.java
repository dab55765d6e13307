// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** An application with {@code spring.threads.virtual.enabled}. */
class VirtualThreadsTest {

    private static final int THREADS = 100;

    @Test
    void manyVirtualThreadsShareALockAndFewConnections() {
        Starter.withJdbc()
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withBean(Counter.class)
                .withPropertyValues(
                        "spring.threads.virtual.enabled=true",
                        "spring.datasource.hikari.maximum-pool-size=3",
                        "reservation.reserved.max-wait=1m")
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    jdbc.execute("CREATE TABLE counter (amount INT)");
                    jdbc.execute("INSERT INTO counter VALUES (0)");
                    Counter counter = context.getBean(Counter.class);
                    AsyncTaskExecutor executor = context.getBean(AsyncTaskExecutor.class);

                    List<Future<Boolean>> work = IntStream.range(0, THREADS)
                            .mapToObj(thread -> executor.submit(counter::increment))
                            .toList();

                    for (Future<Boolean> thread : work) {
                        assertThat(thread.get()).as("on a virtual thread").isTrue();
                    }
                    assertThat(jdbc.queryForObject("SELECT amount FROM counter", Integer.class)).isEqualTo(THREADS);
                });
    }

    static class Counter {

        private final JdbcTemplate jdbc;

        Counter(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Not one statement, on purpose: without the lock increments are lost. */
        @Reserved(domain = "counters", key = "'the one'")
        @Transactional
        public boolean increment() {
            int value = jdbc.queryForObject("SELECT amount FROM counter", Integer.class);
            jdbc.update("UPDATE counter SET amount = ?", value + 1);
            return Thread.currentThread().isVirtual();
        }
    }
}
