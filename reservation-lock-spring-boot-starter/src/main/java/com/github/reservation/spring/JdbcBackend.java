// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.ReservationConfigurationException.apply;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Keeps reservations in a table.
 *
 * @param connections where locks take their connections
 * @param poolSize the size of {@code connections} if that is a pool of our own, else 0
 * @param claimConnections where claims take their connections if they do not join a transaction
 * @param notifications where notifications take their one connection, if there are any
 * @param transactions where claims find the transaction of their caller
 */
record JdbcBackend(
        JdbcSettings settings,
        DataSource connections,
        int poolSize,
        DataSource claimConnections,
        Optional<NotificationSource> notifications,
        CallersTransaction transactions)
        implements Backend {

    private static final int VALIDATION_TIMEOUT_SECONDS = 3;

    /** Opens the backend: finds the data source, makes a pool for locks if it can, and looks for the lock table. */
    static JdbcBackend open(JdbcSettings settings, ListableBeanFactory beans) {
        DataSource shared = LockDataSource.ofLocks(settings, beans);
        Optional<NotificationSource> notifications =
                settings.notifications() ? ConnectionSettings.of(shared).notifications() : Optional.empty();
        int poolSize = settings.poolSize() == null ? SmallPool.defaultSize(shared) : settings.poolSize();
        DataSource connections = poolSize == 0 ? shared : SmallPool.of(shared, poolSize);
        JdbcBackend backend = new JdbcBackend(
                settings,
                connections,
                poolSize,
                LockDataSource.mayJoinGlobalTransactions(settings, beans) ? connections : shared,
                notifications,
                CallersTransaction.of(settings, beans));
        try {
            backend.newBuilder(); // Checks the options now and not at the first manager.
            StoreTable.ofLocks(settings, connections).prepare();
        } catch (RuntimeException e) {
            backend.close();
            throw e;
        }
        return backend;
    }

    /** Opens a backend for claims alone: without a pool of its own, notifications, and the lock table. */
    static JdbcBackend ofClaims(JdbcSettings settings, ListableBeanFactory beans) {
        DataSource shared = LockDataSource.shared(settings, beans);
        return new JdbcBackend(
                settings,
                shared,
                0,
                shared,
                Optional.empty(),
                CallersTransaction.of(settings, beans));
    }

    @Override
    public String place() {
        return "in table " + settings.tableName() + " of the data source"
                + (settings.dataSource() == null ? "" : " " + settings.dataSource())
                + (poolSize == 0
                        ? ", through the connections of the application"
                        : ", through a pool of " + poolSize + " connections of their own")
                + (notifications.isPresent() ? ", with notifications" : "");
    }

    @Override
    public AbstractReservationManagerBuilder<?> newBuilder() {
        JdbcReservationManagerBuilder builder = ReservationManager.jdbc(connections);
        apply("reservation.jdbc.table-name", () -> builder.tableName(settings.tableName()));
        if (settings.database() != null) {
            builder.database(settings.database());
        }
        notifications.ifPresent(builder::notifications);
        return builder;
    }

    @Override
    public Optional<Supplier<JdbcBackend>> database() {
        return Optional.of(() -> this);
    }

    @Override
    public Optional<Boolean> notifies() {
        return notifications.flatMap(NotificationSource::isUp);
    }

    /** Asks for no table: an application that uses only claims need not have the one for locks. */
    @Override
    public void ask(ReservationManagers probes) {
        try (Connection connection = connections.getConnection()) {
            if (!connection.isValid(VALIDATION_TIMEOUT_SECONDS)) {
                throw new ReservationException("The connection to the database is not valid");
            }
        } catch (SQLException e) {
            throw new ReservationException("The database does not answer", e);
        }
    }

    @Override
    public void close() {
        if (poolSize > 0) {
            SmallPool.close(connections);
        }
    }
}
