// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a table can be a lock table. A table that is almost as in the DDL would work, and at times grant a key twice.
 */
final class TableCheck {

    /** Equal to {@code a} in every collation that follows the rules of a language. */
    private static final String IGNORED_BY_LANGUAGES = "a\u0001";

    private static final List<String> COLUMNS = List.of(
            "reservation_key", "holder", "acquired_at", "expires_at", "fence", "waiters", "reserved_until");

    /** The columns that the migration adds. */
    private static final List<String> ADDED = COLUMNS.subList(4, 7);

    private static final List<String> TIMES = List.of("acquired_at", "expires_at");

    /** How many digits of a second a lease needs. */
    private static final int MICROS = 6;

    private final SqlSession session;
    private final LockStatements statements;
    private final TableName table;

    TableCheck(SqlSession session, LockStatements statements, TableName table) {
        this.session = session;
        this.statements = statements;
        this.table = table;
    }

    /** Throws a {@code MISCONFIGURED} that says what to change, if the table is not fit. */
    void run() throws SQLException, StoreException {
        requireExactKeys();
        requirePrimaryKey();
        requireColumns();
    }

    private void requireExactKeys() throws SQLException, StoreException {
        LockValues values = LockValues.of(IGNORED_BY_LANGUAGES);
        if (session.query(statements.checkKeys, values, row -> row.getLong(1)).getFirst() > 0) {
            throw refused("takes different keys for equal (upper and lower case, accents, blanks at the end, or"
                    + " characters that its character set lacks): give reservation_key and holder the collation");
        }
    }

    /**
     * Without a primary key every insert succeeds, and two nodes could hold the same key. Several schemas can have a table of this
     * name, and some databases call a schema a catalog.
     */
    private void requirePrimaryKey() throws SQLException, StoreException {
        String name = table.withoutSchema();
        String catalog = table.hasSchema() ? null : session.connection().getCatalog();
        Map<String, String> columns = new HashMap<>();
        Set<String> spellings =
                new HashSet<>(List.of(name, name.toUpperCase(Locale.ROOT), name.toLowerCase(Locale.ROOT)));
        for (String spelled : spellings) {
            try (ResultSet row = session.connection().getMetaData().getPrimaryKeys(catalog, null, spelled)) {
                while (row.next()) {
                    String place = row.getString("TABLE_CAT");
                    String schema = row.getString("TABLE_SCHEM");
                    if (mayBeTable(place, schema)) {
                        columns.merge(
                                place + '.' + schema + '.' + spelled,
                                row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
                                String::concat);
                    }
                }
            }
        }
        if (!columns.containsValue("reservation_key")) {
            throw refused("has no primary key on reservation_key alone, so that two nodes could hold the same key:"
                    + " give it the primary key");
        }
    }

    /** Returns whether the table may be in this catalog and schema. */
    private boolean mayBeTable(@Nullable String catalog, @Nullable String schema) throws SQLException {
        if (table.hasSchema()) {
            return table.schema().equalsIgnoreCase(schema) || table.schema().equalsIgnoreCase(catalog);
        }
        String current = session.connection().getSchema();
        return schema == null
                || current == null
                || schema.equalsIgnoreCase(current)
                || session.dialect().findsTablesElsewhere();
    }

    private void requireColumns() throws SQLException, StoreException {
        try (PreparedStatement check = session.prepare(statements.checkColumns);
                ResultSet none = check.executeQuery()) {
            ResultSetMetaData columns = none.getMetaData();
            List<String> missing = new ArrayList<>(COLUMNS);
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String name = columns.getColumnName(i).toLowerCase(Locale.ROOT);
                missing.remove(name);
                if (TIMES.contains(name)) {
                    requireExactTime(columns, i);
                }
            }
            requireNone(missing);
        }
    }

    /** A time with a zone depends on the session; a time without microseconds ends leases early, or never. */
    private void requireExactTime(ResultSetMetaData columns, int column) throws SQLException, StoreException {
        String type = columns.getColumnTypeName(column);
        int digits = session.dialect().digitsOfSecond(columns, column);
        if (digits < MICROS || !session.dialect().isTimeType(type)) {
            throw refused("keeps " + columns.getColumnName(column).toLowerCase(Locale.ROOT) + " as " + type + " with "
                    + digits + " digits of a second, so that a lease could end early or never: give it the type");
        }
    }

    /** Also required for the fence: some users rely on it, and to go on without it would be silent. */
    private void requireNone(List<String> missing) throws StoreException {
        if (missing.isEmpty()) {
            return;
        }
        String lacks = "lacks " + String.join(", ", missing);
        throw ADDED.containsAll(missing)
                ? misconfigured(lacks + ". The command " + session.dialect().printCommand()
                        + "-migration prints how to add what is missing")
                : refused(lacks + ": give it the columns");
    }

    private StoreException refused(String fault) {
        return misconfigured(fault + " of the DDL that " + session.dialect().printCommand() + " prints");
    }

    private StoreException misconfigured(String fault) {
        return new StoreException(Kind.MISCONFIGURED, "Table " + table + ' ' + fault);
    }
}
