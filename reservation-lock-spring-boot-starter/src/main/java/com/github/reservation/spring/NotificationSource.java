// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Where PostgreSQL's notifications take their one connection. The library closes a connection that no longer listens, so an open one
 * means that notifications arrive.
 */
final class NotificationSource extends DelegatingDataSource {

    private volatile boolean asked;
    private volatile @Nullable Connection last;

    NotificationSource(DataSource unpooled) {
        super(unpooled);
    }

    @Override
    public Connection getConnection() throws SQLException {
        asked = true;
        Connection connection = super.getConnection();
        last = connection;
        return connection;
    }

    /** Returns whether notifications arrive; empty before the first manager was made. */
    Optional<Boolean> isUp() {
        return asked ? Optional.of(isOpen(last)) : Optional.empty();
    }

    private static boolean isOpen(@Nullable Connection connection) {
        try {
            return connection != null && !connection.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }
}
