// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.claim.Claims;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** When locks get a pool of their own without being asked, and what it takes over from the pool of the application. */
@Timeout(60)
class LockPoolTest {

    private static final int POOL = 10;

    private final ApplicationContextRunner runner = Starter.withJdbc().withPropertyValues(
            "spring.datasource.hikari.maximum-pool-size=" + POOL,
            "spring.datasource.hikari.connection-timeout=1000");

    @Test
    void threadsThatHaveTheWholePoolCanLock() {
        runner.run(context -> {
            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            CyclicBarrier allHaveAConnection = new CyclicBarrier(POOL);

            try (ExecutorService threads = Executors.newFixedThreadPool(POOL)) {
                List<Future<Boolean>> locked = new ArrayList<>();
                for (int i = 0; i < POOL; i++) {
                    String order = "order-" + i;
                    locked.add(threads.submit(() -> transaction.execute(status -> {
                        jdbc.execute("SELECT 1");
                        await(allHaveAConnection);
                        return orders.call(order, held -> held.isHeld());
                    })));
                }

                for (Future<Boolean> one : locked) {
                    assertThat(one.get()).isTrue();
                }
            }
        });
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** As a vault does that rotates passwords. */
    @Test
    void thePoolFollowsAPasswordThatChanges() {
        runner.withPropertyValues("spring.datasource.username=sa", "spring.datasource.password=first").run(context -> {
            HikariDataSource shared = context.getBean(HikariDataSource.class);
            HikariDataSource own = (HikariDataSource) context.getBean(JdbcBackend.class).connections();
            context.getBean(JdbcTemplate.class).execute("ALTER USER sa SET PASSWORD 'second'");
            shared.getHikariConfigMXBean().setPassword("second");

            assertThat(own.getCredentials()).as("a pair, as it was set").isSameAs(shared.getCredentials());
            try (Connection first = own.getConnection(); Connection second = own.getConnection()) {
                assertThat(first).as("another connection than before").isNotSameAs(second);
            }
        });
    }

    @Test
    void claimsKeepThePoolOfTheApplication() {
        runner.run(context -> {
            HikariDataSource shared = context.getBean(HikariDataSource.class);
            assertThat(context.getBean(JdbcBackend.class).claimConnections()).isSameAs(shared);

            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                context.getBean(Claims.class).reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
                status.setRollbackOnly();
            });

            assertThat(context.getBean(Claims.class).isAvailable("email", "alice@example.com")).isTrue();
        });
    }

    @Test
    void theApplicationCanSwitchItOff() {
        runner.withPropertyValues("reservation.jdbc.pool-size=0").run(
                context -> assertThat(context.getBean(JdbcBackend.class).connections())
                        .isSameAs(context.getBean(DataSource.class)));
    }

    /** Such a class may open connections in a way of its own. */
    @Test
    void aSubclassOfThePoolIsShared() {
        assertIsShared(new HikariDataSource() {}, h2());
    }

    @Test
    void aWrappedPoolIsShared() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(h2());
        Starter.alone().withBean("dataSource", DataSource.class, () -> new DelegatingDataSource(pool)).run(
                context -> assertThat(context.getBean(JdbcBackend.class).connections())
                        .isSameAs(context.getBean(DataSource.class)));
        pool.close();
    }

    /** Each of its connections is a database of its own. */
    @Test
    void anH2WithoutANameIsShared() {
        HikariDataSource pool = new HikariDataSource();
        pool.setMaximumPoolSize(1);
        assertIsShared(pool, "jdbc:h2:mem:");
    }

    private static void assertIsShared(HikariDataSource pool, String url) {
        pool.setJdbcUrl(url);
        Starter.alone().withBean("dataSource", DataSource.class, () -> pool).run(context -> {
            assertThat(context.getBean(JdbcBackend.class).connections()).isSameAs(pool);
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});
        });
    }

    private static String h2() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }
}
