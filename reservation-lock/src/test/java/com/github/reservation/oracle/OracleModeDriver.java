// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/**
 * H2 in its Oracle mode, dressed as an Oracle: {@code jdbc:oracle-mode:mem:name}. It has the {@link OracleFunctions} that H2
 * lacks, calls itself Oracle, and says what goes wrong with ORA numbers.
 */
public final class OracleModeDriver implements Driver {

    private static final String PREFIX = "jdbc:oracle-mode:";

    /**
     * How long to wait for a row that is locked. Oracle waits until the time limit of the statement, which H2 has not got here: so this is
     * the shortest one, that of a renewal. H2's own limit is longer, and renewals would be sent again meanwhile.
     */
    private static final String LOCK_TIMEOUT = ";LOCK_TIMEOUT=";

    /** What Oracle says where H2 says something else. */
    private static final Map<Integer, Integer> ORA = Map.ofEntries(
            Map.entry(23505, 1), // duplicate key
            Map.entry(50200, 54), // lock timeout
            Map.entry(40001, 60), // deadlock
            Map.entry(42001, 900), // syntax
            Map.entry(42122, 904), // no such column
            Map.entry(42102, 942), // no such table
            Map.entry(42104, 942),
            Map.entry(90079, 942), // no such schema
            Map.entry(57014, 1013), // cancelled
            Map.entry(28000, 1017), // wrong password
            Map.entry(90096, 1031), // no right to do it
            Map.entry(23502, 1400), // null
            Map.entry(90131, 8177), // concurrent update
            Map.entry(22001, 12899), // too long
            Map.entry(90097, 16000), // read only
            Map.entry(90028, 17002), // input or output
            Map.entry(90031, 17002),
            Map.entry(90067, 17002), // connection broken
            Map.entry(90121, 17002), // closing
            Map.entry(90098, 17410), // closed
            Map.entry(90007, 17008));

    /** The databases that have the functions. */
    private static final Set<String> FURNISHED = ConcurrentHashMap.newKeySet();

    static {
        try {
            DriverManager.registerDriver(new OracleModeDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        Connection connection = DriverManager.getConnection(h2(url) + ";MODE=Oracle", properties);
        if (FURNISHED.add(url.replaceFirst(";.*", ""))) {
            OracleFunctions.install(connection);
        }
        return dressed(Connection.class, connection);
    }

    private static String h2(String url) {
        String h2 = "jdbc:h2:" + url.substring(PREFIX.length());
        return h2.contains(LOCK_TIMEOUT) ? h2 : h2 + LOCK_TIMEOUT + "1000";
    }

    private static <T> T dressed(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, args) -> {
            if (method.getName().equals("getDatabaseProductName")) {
                return "Oracle";
            }
            if (method.getName().equals("setQueryTimeout")) {
                return null; // H2 would limit the whole session, with a statement of its own.
            }
            return dressed(invoked(real, method, args));
        }));
    }

    private static Object dressed(Object result) {
        return switch (result) {
            case PreparedStatement statement -> dressed(PreparedStatement.class, statement);
            case Statement statement -> dressed(Statement.class, statement);
            case DatabaseMetaData metaData -> dressed(DatabaseMetaData.class, metaData);
            case null, default -> result;
        };
    }

    private static Object invoked(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof SQLException said) || !ORA.containsKey(said.getErrorCode())) {
                throw e.getCause();
            }
            SQLException ora = OracleErrors.ora(ORA.get(said.getErrorCode()), said.getMessage());
            throw said instanceof BatchUpdateException batch
                    ? new BatchUpdateException(
                            ora.getMessage(), ora.getSQLState(), ora.getErrorCode(), batch.getUpdateCounts(), said)
                    : ora.initCause(said);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(OracleModeDriver.class.getName());
    }
}
