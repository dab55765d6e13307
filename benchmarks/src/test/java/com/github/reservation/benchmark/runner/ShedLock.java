// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.hazelcast4.HazelcastLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** Nodes of ShedLock, which does not wait for a lock. */
final class ShedLock {

    static final String NAME = "ShedLock";
    static final String TABLE = "shedlock";
    static final String ON_JDBC = "JdbcTemplateLockProvider with usingDbTime()" + locks();
    static final String ON_HAZELCAST = "HazelcastLockProvider of shedlock-provider-hazelcast4 "
            + Versions.of("shedlock-provider-hazelcast4") + locks();

    private ShedLock() {}

    private static String locks() {
        return "; lockAtMostFor of a minute, no lockAtLeastFor. It does not wait for a lock";
    }

    /** Returns the table as its README gives it: the type of the times is {@code TIMESTAMP(3)} on MariaDB, else {@code TIMESTAMP}. */
    static String ddl(String timestamp) {
        return """
                CREATE TABLE %2$s (
                    name       VARCHAR(64)  NOT NULL,
                    lock_until %1$s NOT NULL,
                    locked_at  %1$s NOT NULL,
                    locked_by  VARCHAR(255) NOT NULL,
                    PRIMARY KEY (name)
                )""".formatted(timestamp, TABLE);
    }

    /** Returns the statement that makes the row of a free lock. */
    static String insertFree(String name) {
        return "INSERT INTO " + TABLE + " (name, lock_until, locked_at, locked_by) VALUES ('" + name
                + "', TIMESTAMP '2001-01-01 00:00:00', TIMESTAMP '2001-01-01 00:00:00', 'nobody')";
    }

    static Node onJdbc(DataSource pool, AutoCloseable end) {
        return node(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build()),
                end);
    }

    static Node onHazelcast(HazelcastInstance client) {
        return node(new HazelcastLockProvider(client), client::shutdown);
    }

    private static Node node(LockProvider provider, AutoCloseable end) {
        return Node.withoutLeases(key -> new ShedLockKey(provider, key), end);
    }

    private static final class ShedLockKey implements Key {

        private final LockProvider provider;
        private final String name;
        private SimpleLock held;

        ShedLockKey(LockProvider provider, String name) {
            this.provider = provider;
            this.name = name;
        }

        @Override
        public void lock() {
            held = provider.lock(new LockConfiguration(ClockProvider.now(), name, Duration.ofMinutes(1), Duration.ZERO))
                    .orElseThrow(() -> new IllegalStateException("ShedLock refused a free key: " + name));
        }

        @Override
        public void unlock() {
            held.unlock();
        }
    }
}
