// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.jdbc.Database;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.Ordered;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code reservation.*}.
 *
 * @param backend where reservations are kept
 * @param leaseTime how long a reservation is held at most, for calls that do not pass their own lease
 * @param holderLabel what the holders of this process are called in lists of reservations; if not set, host and process id
 * @param autoRenew settings of the automatic renewal
 * @param reserved settings of {@link Reserved}
 * @param leases settings of the beans {@link com.github.reservation.lease.LockProvider} and
 *     {@link com.github.reservation.lease.LockManager}
 * @param expiration settings of the bean {@link com.github.reservation.expiration.ExpirationJob}
 * @param outbox settings of the bean {@link com.github.reservation.outbox.Outbox}
 * @param jdbc settings of the backend for databases
 * @param hazelcast settings of the backend for Hazelcast
 */
@ConfigurationProperties("reservation")
public record ReservationProperties(
        @DefaultValue("auto") BackendType backend,
        @DefaultValue("1m") Duration leaseTime,
        @Nullable String holderLabel,
        @DefaultValue AutoRenewSettings autoRenew,
        @DefaultValue ReservedSettings reserved,
        @DefaultValue LeaseSettings leases,
        @DefaultValue ExpirationSettings expiration,
        @DefaultValue OutboxSettings outbox,
        @DefaultValue JdbcSettings jdbc,
        @DefaultValue HazelcastSettings hazelcast) {

    /** Checks the lease time, and that the longest hold is not shorter. */
    public ReservationProperties {
        require(leaseTime.toMillis() >= 1, "lease-time", "must be at least 1 ms", leaseTime);
        Duration maxHold = autoRenew.maxHold();
        require(maxHold == null || maxHold.compareTo(leaseTime) >= 0, "auto-renew.max-hold",
                "must not be shorter than reservation.lease-time, " + leaseTime, String.valueOf(maxHold));
    }

    private static void require(boolean condition, String property, String rule, Object value) {
        if (!condition) {
            throw new IllegalArgumentException("reservation." + property + ' ' + rule + ", but is " + value);
        }
    }

    /** Where reservations are kept. */
    public enum BackendType {
        /** A Hazelcast instance if the context has one, else a data source, else the memory of this JVM. */
        AUTO,
        /** A table of a relational database. */
        JDBC,
        /** A Hazelcast cluster. */
        HAZELCAST,
        /** The memory of this JVM: other processes do not see the locks. */
        MEMORY
    }

    /**
     * Settings of the automatic renewal.
     *
     * @param maxHold how long a reservation is renewed at most while its thread holds it; if not set, reservations are not renewed
     */
    public record AutoRenewSettings(@Nullable Duration maxHold) {}

    /**
     * Settings of {@link Reserved}.
     *
     * @param maxWait how long a method waits for its lock, if its annotation does not say
     * @param order the order of the advice; it must be lower than the order of the transaction advice
     */
    public record ReservedSettings(
            @DefaultValue("5s") Duration maxWait,
            @DefaultValue("" + ReservedSettings.DEFAULT_ORDER) int order) {

        /** Transaction advice has the lowest precedence, unless the application says otherwise. */
        static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

        /** Checks the wait. */
        public ReservedSettings {
            require(!maxWait.isNegative(), "reserved.max-wait", "must not be negative", maxWait);
        }
    }

    /**
     * Settings of the beans {@link com.github.reservation.lease.LockProvider} and {@link com.github.reservation.lease.LockManager}.
     *
     * @param domain the domain of their locks
     */
    public record LeaseSettings(@DefaultValue("leases") String domain) {}

    /**
     * Settings of the bean {@link com.github.reservation.expiration.ExpirationJob}.
     *
     * @param enabled whether there is a job
     * @param interval how long the job waits between two runs of a source; if not set, each source has its own interval
     */
    public record ExpirationSettings(@DefaultValue("true") boolean enabled, @Nullable Duration interval) {

        /** Checks the interval. */
        public ExpirationSettings {
            require(interval == null || interval.toMillis() >= 1, "expiration.interval", "must be at least 1 ms",
                    String.valueOf(interval));
        }
    }

    /**
     * Settings of the bean {@link com.github.reservation.outbox.Outbox}. It uses the data source of {@link JdbcSettings}.
     *
     * @param enabled whether there is an outbox
     * @param listenerId the id under which the outbox knows the listener methods that have no id of their own
     * @param tableName the table of events, with or without its schema
     * @param retryFor for how long an event is delivered again after a failure, before it is parked
     * @param pollInterval how long the outbox waits before it looks for events again, if it found none
     * @param leaseTime how long events wait that an instance was delivering when it died
     * @param pageSize how many bytes of events are read at once for a listener
     * @param largestEvent how many bytes an event may have
     * @param absentAfter after how long without an instance a listener, or one of its types, counts as absent
     * @param dropAbsent whether to forget what is absent, with the events that wait for it; otherwise the log warns
     */
    public record OutboxSettings(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("spring") String listenerId,
            @DefaultValue("RESERVATION_OUTBOX") String tableName,
            @DefaultValue("1d") Duration retryFor,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("30s") Duration leaseTime,
            @DefaultValue("8MB") DataSize pageSize,
            @DefaultValue("8MB") DataSize largestEvent,
            @DefaultValue("7d") Duration absentAfter,
            @DefaultValue("false") boolean dropAbsent) {}

    /**
     * Settings of the backend for databases.
     *
     * @param dataSource the name of the {@code DataSource} bean; needed if the context has several and none is primary
     * @param poolSize the size of a pool for locks alone, made from the settings of the data source; 0 if locks are to use the pool of the
     *     data source; if not set, 4 where the data source is a HikariCP pool, else 0
     * @param tableName the lock table, with or without its schema
     * @param claimsTableName the table of claims, with or without its schema
     * @param database the database; detected if not set
     * @param notifications whether to listen for notifications on PostgreSQL, on one connection of their own
     * @param initializeSchema when to create the lock table, and the table of claims if a bean uses claims
     */
    public record JdbcSettings(
            @Nullable String dataSource,
            @Nullable Integer poolSize,
            @DefaultValue("RESERVATION_LOCKS") String tableName,
            @DefaultValue("RESERVATION_CLAIMS") String claimsTableName,
            @Nullable Database database,
            @DefaultValue("true") boolean notifications,
            @DefaultValue("embedded") InitializeSchema initializeSchema) {

        /** Checks the size of the pool. */
        public JdbcSettings {
            require(poolSize == null || poolSize >= 0, "jdbc.pool-size", "must not be negative",
                    String.valueOf(poolSize));
        }

        /** Returns whether locks must have a pool of their own. */
        boolean asksForPool() {
            return poolSize != null && poolSize > 0;
        }
    }

    /** When to create a table. */
    public enum InitializeSchema {
        /** If it is missing, and the database is in the memory of this JVM. */
        EMBEDDED,
        /** If it is missing. */
        ALWAYS,
        /** Never, and do not look for it either. */
        NEVER
    }

    /**
     * Settings of the backend for Hazelcast.
     *
     * @param instance the name of the {@code HazelcastInstance} bean; needed if the context has several and none is primary
     * @param mapPrefix the prefix of the map names, which are {@code prefix-domain}
     */
    public record HazelcastSettings(@Nullable String instance, @DefaultValue("reservations") String mapPrefix) {}
}
