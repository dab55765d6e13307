// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/** Reads and makes pools of HikariCP, for {@link SmallPool}. */
final class HikariPools {

    private static final String NAME = "reservation-locks";
    private static final Pattern UNNAMED_H2 = Pattern.compile("jdbc:h2:mem:(;.*)?");
    private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;
    private static final long VALIDATION_TIMEOUT_MILLIS = 1_000;

    private HikariPools() {}

    /**
     * Returns whether a pool with the same settings leads to the same database. A subclass or a wrapper may give a connection other
     * properties, and each connection to an H2 without a name is a database of its own.
     */
    static boolean tellsAll(DataSource dataSource) {
        return dataSource.getClass() == HikariDataSource.class
                && !UNNAMED_H2.matcher(String.valueOf(((HikariDataSource) dataSource).getJdbcUrl())).matches();
    }

    static Properties driverProperties(DataSource dataSource) {
        return find(dataSource).map(HikariDataSource::getDataSourceProperties).orElseGet(Properties::new);
    }

    /** Returns the HikariCP pool behind a data source, if it is one. */
    private static Optional<HikariDataSource> find(DataSource dataSource) {
        return Optional.ofNullable(
                DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class));
    }

    static DataSource of(DataSource dataSource, int size) {
        HikariDataSource pool = find(dataSource).map(HikariPools::copy).orElseGet(() -> derive(dataSource));
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
            return original.getCredentials();
        }
    }

    private static HikariDataSource derive(DataSource dataSource) {
        try {
            return DataSourceBuilder.derivedFrom(dataSource).type(HikariDataSource.class).build();
        } catch (RuntimeException e) { // There is no common type for what Spring Boot cannot read.
            throw SmallPool.impossible(
                    "The URL, user and password cannot be read from " + dataSource + '.',
                    "Define a second data source, name it in reservation.jdbc.data-source");
        }
    }

    static void close(DataSource pool) {
        ((HikariDataSource) pool).close();
    }
}
