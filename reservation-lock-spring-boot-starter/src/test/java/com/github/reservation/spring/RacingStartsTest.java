// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.spring.ReservationProperties.InitializeSchema;
import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import com.github.reservation.spring.StoreTable.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Several nodes that start at the same time, on one empty database. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MYSQL"})
class RacingStartsTest {

    private static final int NODES = 6;
    private static final List<String> TABLES = List.of(
            "RESERVATION_LOCKS", "RESERVATION_CLAIMS", "RESERVATION_OUTBOX", "RESERVATION_OUTBOX_DELIVERIES",
            "RESERVATION_OUTBOX_KEYS", "RESERVATION_OUTBOX_LANES", "RESERVATION_OUTBOX_LISTENERS");
    private static final JdbcSettings SETTINGS = new JdbcSettings(
            null, null, "RESERVATION_LOCKS", "RESERVATION_CLAIMS", null, false, InitializeSchema.ALWAYS);

    @Parameter
    private Databases kind;

    private DataSource dataSource;

    @BeforeEach
    void createDatabase() {
        dataSource = kind.server().newDatabase().dataSource();
    }

    private void start() {
        StoreTable.ofLocks(SETTINGS, dataSource).prepare();
        StoreTable.ofClaims(SETTINGS, dataSource).prepare();
        new StoreTable(SETTINGS, dataSource, Kind.OUTBOX, "RESERVATION_OUTBOX").prepare();
    }

    private List<Long> rows() {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return TABLES.stream().map(table -> jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Long.class)).toList();
    }

    @RepeatedTest(3)
    void eachOfThemFindsAllTablesWhenItHasStarted() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(NODES);
        try (ExecutorService threads = Executors.newFixedThreadPool(NODES)) {
            List<Future<List<Long>>> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(threads.submit(() -> {
                    barrier.await(30, TimeUnit.SECONDS);
                    start();
                    return rows();
                }));
            }

            for (Future<List<Long>> node : nodes) {
                assertThat(node.get()).hasSameSizeAs(TABLES).containsOnly(0L);
            }
        }
    }

    @Test
    void theTablesOfANodeThatDiedHalfwayAreCompleted() {
        new JdbcTemplate(dataSource).execute(Ddl.of(kind.ddl() + "-outbox").split(";", 2)[0]);

        start();

        assertThat(rows()).hasSameSizeAs(TABLES);
    }
}
