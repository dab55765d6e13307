// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.Transactor;
import com.github.reservation.internal.sql.Transactions;
import javax.sql.DataSource;

/** Transactions of plain JDBC. */
public final class JdbcTransactor implements Transactor {

    private final Transactions transactions;

    public JdbcTransactor(DataSource dataSource) {
        this.transactions = new Transactions(dataSource);
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws Exception {
        return transactions.run(work::run);
    }
}
