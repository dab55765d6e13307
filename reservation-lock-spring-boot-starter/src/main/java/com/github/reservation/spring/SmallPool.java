// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/**
 * A small pool for locks alone, so that they reach the database even when the application has exhausted its own pool. It needs HikariCP,
 * which the application may not have: only {@link HikariPools} names its types, and nothing touches that class without it.
 */
final class SmallPool {

    private static final int DEFAULT_SIZE = 4;

    private SmallPool() {}

    private static boolean isPossible() {
        return ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", SmallPool.class.getClassLoader());
    }

    /**
     * Returns how many connections a pool for locks has if the application does not say: none where the settings of its data source may
     * not be the whole truth.
     */
    static int defaultSize(DataSource dataSource) {
        return isPossible() && HikariPools.tellsAll(dataSource) ? DEFAULT_SIZE : 0;
    }

    /** Returns what a HikariCP pool passes to its driver; nothing for other data sources. */
    static Properties driverProperties(DataSource dataSource) {
        return isPossible() ? HikariPools.driverProperties(dataSource) : new Properties();
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
        return HikariPools.of(dataSource, size);
    }

    static ReservationConfigurationException impossible(String reason, String remedy) {
        return new ReservationConfigurationException(
                "reservation.jdbc.pool-size is set, but no pool can be made. " + reason,
                remedy + ", or set reservation.jdbc.pool-size to 0.");
    }

    static void close(DataSource pool) {
        HikariPools.close(pool);
    }
}
