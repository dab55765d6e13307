// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Nodes of Spring Integration. */
final class SpringIntegration {

    static final String JDBC = "Spring Integration JdbcLockRegistry";
    static final String JDBC_SETUP = "its defaults: a lease of 10 s, a look every 100 ms; on PostgreSQL an insert with"
            + " ON CONFLICT DO NOTHING";
    static final String REDIS = "Spring Integration RedisLockRegistry";
    static final String REDIS_SETUP =
            "PUB_SUB_LOCK, its mode without polling, on Lettuce; else its defaults: a lease of 60 s, but 2 s"
                    + " for the take-over";

    private SpringIntegration() {}

    static Node onJdbc(HikariDataSource pool) throws Exception {
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
        return of(registry, repository::close, pool);
    }

    /** Makes a node whose leases are that long. */
    static Node onRedis(int port, Duration lease) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
        connections.afterPropertiesSet();
        connections.start();
        RedisLockRegistry registry = new RedisLockRegistry(connections, "benchmark", lease);
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        return of(registry, registry::destroy, connections::destroy);
    }

    private static Node of(LockRegistry<DistributedLock> registry, AutoCloseable... end) {
        return new Node(
                key -> Key.of(registry.obtain(key)),
                (key, lease) -> registry.obtain(key).lock(lease),
                List.of(end));
    }
}
