// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * The URL, user, password and driver properties of a data source.
 *
 * @param unpooled opens a new connection with these settings at each call; empty if the settings cannot be read
 */
record ConnectionSettings(Optional<SimpleDriverDataSource> unpooled) {

    /** Reads the settings of pools that Spring Boot knows. */
    static ConnectionSettings of(DataSource dataSource) {
        try {
            SimpleDriverDataSource unpooled =
                    DataSourceBuilder.derivedFrom(dataSource).type(SimpleDriverDataSource.class).build();
            unpooled.setConnectionProperties(SmallPool.driverProperties(dataSource));
            return new ConnectionSettings(Optional.of(unpooled));
        } catch (RuntimeException e) { // There is no common type for what Spring Boot cannot read or set.
            return new ConnectionSettings(Optional.empty());
        }
    }

    /** Returns where PostgreSQL's notifications can take their connection; empty for other databases. */
    Optional<NotificationSource> notifications() {
        return unpooled.filter(ConnectionSettings::isPostgreSql).map(NotificationSource::new);
    }

    private static boolean isPostgreSql(SimpleDriverDataSource dataSource) {
        String url = dataSource.getUrl();
        return url != null && url.startsWith("jdbc:postgresql:");
    }
}
