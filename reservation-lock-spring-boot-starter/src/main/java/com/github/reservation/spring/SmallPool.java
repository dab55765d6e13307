// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.util.ClassUtils;

/** A small pool for locks alone, so that they reach the database even when the application has exhausted its own pool. */
final class SmallPool {

    private static final int DEFAULT_SIZE = 4;
    private static final String NAME = "reservation-locks";
    private static final Pattern UNNAMED_H2 = Pattern.compile("jdbc:h2:mem:(;.*)?");
    private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;
    private static final long VALIDATION_TIMEOUT_MILLIS = 1_000;

    private SmallPool() {}

    /** Returns whether HikariCP is on the class path. */
    static boolean isPossible() {
        return ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", SmallPool.class.getClassLoader());
    }

    /** Returns the HikariCP pool behind a data source, if it is one. */
    static Optional<HikariDataSource> find(DataSource dataSource) {
        return Optional.ofNullable(
                DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class));
    }

    /**
     * Returns how many connections a pool for locks has if the application does not say: none where the settings of its data source may
     * not be the whole truth. A subclass or a wrapper may give a connection other properties, and each connection to an H2 without a name is a
     * database of its own.
     */
    static int defaultSize(DataSource dataSource) {
        return isPossible()
                && dataSource.getClass() == HikariDataSource.class
                && !UNNAMED_H2.matcher(String.valueOf(((HikariDataSource) dataSource).getJdbcUrl())).matches()
                        ? DEFAULT_SIZE
                        : 0;
    }

    /**
     * Makes a pool with the connection settings of the data source. It opens its first connection when it is first used.
     *
     * @throws ReservationConfigurationException if the settings cannot be read, or HikariCP is missing
     */
    static DataSource of(DataSource dataSource, int size) {
        if (!isPossible()) {
            throw impossible("HikariCP is not on the class path.", "Add com.zaxxer:HikariCP");
        }
        HikariDataSource pool = find(dataSource).map(SmallPool::copy).orElseGet(() -> derive(dataSource));
        pool.setPoolName(NAME);
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        pool.setValidationTimeout(VALIDATION_TIMEOUT_MILLIS);
        pool.setAutoCommit(true);
        pool.setReadOnly(false);
        return pool;
    }

    private static HikariDataSource copy(HikariDataSource original) {
        HikariDataSource copy = new Copy(original);
        original.copyStateTo(copy);
        return copy;
    }

    /** The application may change user and password of its pool at run time: the copy asks for them at each new connection. */
    private static final class Copy extends HikariDataSource {

        private final HikariDataSource original;

        Copy(HikariDataSource original) {
            this.original = original;
        }

        @Override
        public Credentials getCredentials() {
            return Credentials.of(original.getUsername(), original.getPassword());
        }
    }

    private static HikariDataSource derive(DataSource dataSource) {
        try {
            return DataSourceBuilder.derivedFrom(dataSource).type(HikariDataSource.class).build();
        } catch (RuntimeException e) { // There is no common type for what Spring Boot cannot read.
            throw impossible(
                    "The URL, user and password cannot be read from " + dataSource + '.',
                    "Define a second data source, name it in reservation.jdbc.data-source");
        }
    }

    private static ReservationConfigurationException impossible(String reason, String remedy) {
        return new ReservationConfigurationException(
                "reservation.jdbc.pool-size is set, but no pool can be made. " + reason,
                remedy + ", or remove reservation.jdbc.pool-size.");
    }

    static void close(DataSource pool) {
        ((HikariDataSource) pool).close();
    }
}
