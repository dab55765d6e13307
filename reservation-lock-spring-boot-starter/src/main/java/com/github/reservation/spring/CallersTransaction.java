// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationException;
import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds the transaction that the calling thread has on a data source.
 *
 * @param dataSources the bean and what its proxies wrap: a transaction manager may know any of them
 */
record CallersTransaction(List<DataSource> dataSources) {

    /**
     * Looks at the same data source as locks do, but through its proxies. A global transaction is never found: the connections that
     * claims use take no part in it.
     */
    static CallersTransaction of(JdbcSettings settings, ListableBeanFactory beans) {
        if (LockDataSource.hasGlobalTransactions(beans)) {
            return new CallersTransaction(List.of());
        }
        DataSource bean = LockDataSource.chosen(settings, beans);
        return new CallersTransaction(
                Stream.iterate(bean, Objects::nonNull, LockDataSource::target).toList());
    }

    /** Calls the function with the connection of the transaction, if the thread has one. */
    <T> Optional<T> use(Function<Connection, T> work) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return Optional.empty();
        }
        return dataSources.stream()
                .filter(one -> TransactionSynchronizationManager.getResource(one) instanceof ConnectionHolder)
                .findFirst()
                .flatMap(one -> use(one, work));
    }

    private static <T> Optional<T> use(DataSource dataSource, Function<Connection, T> work) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return connection.getAutoCommit() ? Optional.empty() : Optional.of(work.apply(connection));
        } catch (SQLException e) {
            throw new ReservationException("The connection of the transaction does not answer", e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }
}
