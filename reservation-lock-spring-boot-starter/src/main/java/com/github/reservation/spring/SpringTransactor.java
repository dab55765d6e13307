// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.Transactor;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Runs work in a new transaction of Spring, so that what uses the same data source inside the work takes part in it. */
record SpringTransactor(PlatformTransactionManager manager, DataSource dataSource) implements Transactor {

    private static TransactionDefinition newTransaction() {
        DefaultTransactionDefinition definition =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        definition.setName("reservation-expiration");
        return definition;
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws Exception {
        TransactionStatus status = manager.getTransaction(newTransaction());
        T result;
        try {
            result = run(work);
        } catch (Throwable failure) {
            rollBackAfter(failure, status);
            throw failure;
        }
        manager.commit(status);
        return result;
    }

    private <T> T run(Work<T> work) throws Exception {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException("Transactions of " + manager + " do not include the data source "
                        + dataSource + ". Define a bean of type Transactor for the right pair");
            }
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** Rolls back without hiding the failure of the work. */
    private void rollBackAfter(Throwable failure, TransactionStatus status) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
