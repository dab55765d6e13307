// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.torture.planted.Planted;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A data source that spoils the statements of an expiration. */
final class BrokenExpiration implements InvocationHandler {

    private static final String STOCK = "UPDATE torture_stock SET available = available + ?";

    private final DataSource dataSource;
    private final Planted bug;
    private final Connection connection;

    /** Where the stock is changed, if not in the transaction of the batch. */
    private Connection apart;

    private BrokenExpiration(DataSource dataSource, Planted bug, Connection connection) {
        this.dataSource = dataSource;
        this.bug = bug;
        this.connection = connection;
    }

    static DataSource on(DataSource dataSource, Planted bug) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? connection(dataSource, bug)
                        : method.invoke(dataSource, arguments));
    }

    private static Connection connection(DataSource dataSource, Planted bug) throws SQLException {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[]{Connection.class},
                new BrokenExpiration(dataSource, bug, dataSource.getConnection()));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            if (method.getName().equals("prepareStatement")) {
                arguments[0] = spoiled((String) arguments[0]);
                return method.invoke(on((String) arguments[0]), arguments);
            }
            if (method.getName().equals("commit") && losesCommit()) {
                connection.rollback();
                throw new SQLException("The commit is lost", "08006");
            }
            if (method.getName().equals("close") && apart != null) {
                apart.close();
            }
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private boolean losesCommit() {
        return bug == Planted.STOCK_RETURNED_BEFORE_THE_COMMIT && apart != null
                && ThreadLocalRandom.current().nextInt(10) == 0;
    }

    private Connection on(String sql) throws SQLException {
        if (bug != Planted.STOCK_RETURNED_BEFORE_THE_COMMIT || !sql.startsWith(STOCK)) {
            return connection;
        }
        if (apart == null) {
            apart = dataSource.getConnection();
        }
        return apart;
    }

    private String spoiled(String sql) throws SQLException {
        return switch (bug) {
            case STOCK_SWEEP_WITHOUT_GUARD -> sql.contains("IN (?") && sql.contains("torture_orders")
                    ? sql.replaceAll("AND \\(?status = 'RESERVED'\\)?", "").replace("FOR UPDATE SKIP LOCKED", "")
                    : sql;
            case STOCK_RETURNED_TWICE -> sql.startsWith(STOCK) && ThreadLocalRandom.current().nextInt(10) == 0
                    ? sql.replace("+ ?", "+ 2 * ?")
                    : sql;
            case STOCK_EXPIRED_TOO_EARLY -> sql.contains("expires_at <= ") ? early(sql) : sql;
            case STOCK_ROW_FORGOTTEN -> sql.replace("WHERE status = 'RESERVED'",
                    "WHERE id % 1000 <> 0 AND status = 'RESERVED'");
            default -> sql;
        };
    }

    private String early(String sql) throws SQLException {
        Dialect dialect = Dialects.find(connection).orElseThrow();
        return sql.replace(dialect.startOfStatement(), dialect.nowPlus("300000"));
    }
}
