// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.sql.Connection;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A data source on which one statement meets a deadlock, and the database rolls all of the transaction back, as InnoDB does. */
final class Deadlocks {

    /** The statement that meets it. */
    static final String DEADLOCK = "deadlock";

    /** InnoDB's code. H2 has another one, which it also uses as the state. */
    private static final int CODE = 1213;

    private Deadlocks() {}

    static DataSource on(DataSource real) {
        return EachConnection.of(real,
                tx -> EachConnection.proxy(Connection.class, (proxy, method, arguments) -> {
                    Object result = EachConnection.call(method, tx, arguments);
                    return method.getName().equals("createStatement") ? deadlocking(tx, (Statement) result) : result;
                }));
    }

    private static Statement deadlocking(Connection tx, Statement statement) {
        return EachConnection.proxy(Statement.class, (proxy, method, arguments) -> {
            if (arguments != null && DEADLOCK.equals(arguments[0])) {
                tx.rollback();
                throw new SQLTransactionRollbackException("Deadlock", "40001", CODE);
            }
            return EachConnection.call(method, statement, arguments);
        });
    }
}
