// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.internal.expiration.JdbcTransactor;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Runs work in a transaction. {@link #of(DataSource)} is the one for plain JDBC. Implement it to use the transactions of a
 * framework. An implementation must be thread-safe, start a new transaction for each call, use READ COMMITTED, commit if the work
 * returns, and roll back and throw the same exception if the work throws.
 */
public interface Transactor {

    /**
     * What a transaction does.
     *
     * @param <T> the result
     */
    @FunctionalInterface
    interface Work<T> {

        /** Executes statements on the connection. It neither commits nor closes the connection. */
        T run(Connection tx) throws Exception;
    }

    /**
     * Runs the work in a new transaction and returns its result. It blocks until the transaction has ended.
     *
     * @throws Exception what the work threw, or what the database reported
     */
    <T> T inTransaction(Work<T> work) throws Exception;

    /**
     * Returns a transactor that takes a connection from the data source for each transaction. It restores autocommit and the
     * isolation level before it returns the connection.
     */
    static Transactor of(DataSource dataSource) {
        return new JdbcTransactor(Objects.requireNonNull(dataSource, "dataSource must not be null"));
    }
}
