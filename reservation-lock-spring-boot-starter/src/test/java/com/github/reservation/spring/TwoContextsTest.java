// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Two instances of an application on one PostgreSQL, with all of Spring Boot's auto-configuration. */
@Needs(Backend.POSTGRESQL)
class TwoContextsTest {

    private static final int THREADS = 8;
    private static final int COUNTERS = 4;
    private static final int INCREMENTS = 10_000;

    @Test
    void noIncrementOfTwoInstancesIsLost() throws Exception {
        Database database = PostgresServer.shared().newDatabase();
        try (ConfigurableApplicationContext one = start(database);
                ConfigurableApplicationContext two = start(database);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            JdbcTemplate jdbc = one.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE counter (id INT PRIMARY KEY, value INT NOT NULL)");
            IntStream.range(0, COUNTERS).forEach(id -> jdbc.update("INSERT INTO counter VALUES (?, 0)", id));

            List<Future<?>> work = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> increment(thread % 2 == 0 ? one : two, thread)))
                    .toList();
            for (Future<?> thread : work) {
                thread.get();
            }

            assertThat(jdbc.queryForObject("SELECT SUM(value) FROM counter", Integer.class)).isEqualTo(INCREMENTS);
        }
    }

    private static void increment(ConfigurableApplicationContext context, int thread) {
        Counters counters = context.getBean(Counters.class);
        for (int i = 0; i < INCREMENTS / THREADS; i++) {
            counters.increment((thread + i) % COUNTERS);
        }
    }

    private static ConfigurableApplicationContext start(Database database) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        // The disk is not what is tested.
                        "--spring.datasource.url=" + database.url() + "?options=-c%20synchronous_commit=off",
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--reservation.jdbc.initialize-schema=always",
                        "--reservation.reserved.max-wait=1m");
    }

    static class Counters {

        private final JdbcTemplate jdbc;

        Counters(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Not one statement, on purpose: without the lock, or if it is released before the commit, increments are lost. */
        @Reserved(domain = "counters", key = "#id")
        @Transactional
        public void increment(int id) {
            int value = jdbc.queryForObject("SELECT value FROM counter WHERE id = ?", Integer.class, id);
            jdbc.update("UPDATE counter SET value = ? WHERE id = ?", value + 1, id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Counters counters(JdbcTemplate jdbc) {
            return new Counters(jdbc);
        }
    }
}
