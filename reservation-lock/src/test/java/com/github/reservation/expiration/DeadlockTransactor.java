// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Transactions in which one statement meets a deadlock, and the database rolls all of the transaction back, as InnoDB does. */
final class DeadlockTransactor implements Transactor {

    /** The statement that meets it. */
    static final String DEADLOCK = "deadlock";

    /** InnoDB's code. H2 has another one, which it also uses as the state. */
    private static final int CODE = 1213;

    private final Transactor real;

    DeadlockTransactor(DataSource dataSource) {
        this.real = Transactor.of(dataSource);
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws Exception {
        return real.inTransaction(tx -> work.run(proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = call(method, tx, arguments);
            return method.getName().equals("createStatement") ? deadlocking(tx, (Statement) result) : result;
        })));
    }

    private static Statement deadlocking(Connection tx, Statement statement) {
        return proxy(Statement.class, (proxy, method, arguments) -> {
            if (arguments != null && DEADLOCK.equals(arguments[0])) {
                tx.rollback();
                throw new SQLTransactionRollbackException("Deadlock", "40001", CODE);
            }
            return call(method, statement, arguments);
        });
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(DeadlockTransactor.class.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
