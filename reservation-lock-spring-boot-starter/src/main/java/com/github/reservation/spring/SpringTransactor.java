// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.Transactor;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs work in a new transaction of Spring, so that what uses the same data source inside the work takes part in it. */
record SpringTransactor(PlatformTransactionManager manager, DataSource dataSource) implements Transactor {

    private static final Log LOG = LogFactory.getLog(SpringTransactor.class);

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
        commit(status);
        return result;
    }

    /** Commits. A failure after that, such as one of a listener that Spring calls after the commit, does not undo it. */
    private void commit(TransactionStatus status) {
        AtomicBoolean committed = new AtomicBoolean();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int outcome) {
                committed.set(outcome == STATUS_COMMITTED);
            }
        });
        try {
            manager.commit(status);
        } catch (RuntimeException e) {
            if (!committed.get()) {
                throw e;
            }
            LOG.warn("A batch was committed, and what Spring called after its commit failed", e);
        }
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
