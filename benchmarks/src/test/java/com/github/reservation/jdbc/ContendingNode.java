// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.ReservationManager;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** One node of a contender: it gives out locks, and has connections of its own. */
record ContendingNode(LocksByKey locks, AutoCloseable end) implements AutoCloseable {

    /** How a contender calls the lock of a key. */
    @FunctionalInterface
    interface LocksByKey {
        Lock of(String key);
    }

    /** Makes a node on connections of its own. */
    @FunctionalInterface
    interface Factory {
        ContendingNode open(HikariDataSource pool) throws Exception;
    }

    /** Makes a node of this library, as it is without options. */
    static ContendingNode polling(HikariDataSource pool) {
        return of(ReservationManager.jdbc(pool).domain("contention").build());
    }

    /** Makes a node of this library that PostgreSQL notifies. */
    static ContendingNode notified(HikariDataSource pool) {
        return of(ReservationManager.jdbc(pool).domain("contention").notifications(pool).build());
    }

    private static ContendingNode of(ReservationManager manager) {
        return new ContendingNode(manager::getReservation, manager);
    }

    /**
     * Makes a node of Spring Integration with its defaults: a lease of 10 s, and a look every 100 ms. As its reference manual
     * recommends for PostgreSQL, an insert does nothing on a conflict.
     */
    static ContendingNode spring(HikariDataSource pool) throws SQLException {
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        if (pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
            repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        }
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository);
        registry.setIdleBetweenTries(Duration.ofMillis(100));
        return new ContendingNode(registry::obtain, repository::close);
    }

    Lock lock(String key) {
        return locks.of(key);
    }

    @Override
    public void close() throws Exception {
        end.close();
    }
}
