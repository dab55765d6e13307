// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
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

/** Checks, with reads only, that a table has the primary key and the columns of its DDL. */
public final class TableShape {

    /** How many digits of a second a time needs. */
    private static final int MICROS = 6;

    private final SqlSession session;
    private final SqlTable config;
    private final TableName table;

    public TableShape(SqlSession session, SqlTable table) {
        this(session, table, table.name());
    }

    /** Checks a further table of the same DDL. */
    public TableShape(SqlSession session, SqlTable config, TableName table) {
        this.session = session;
        this.config = config;
        this.table = table;
    }

    /**
     * Requires a primary key on one column: without it every insert succeeds. Several schemas can have a table of this name, and
     * some databases call a schema a catalog.
     *
     * @param otherwise what could happen without it
     */
    public void requirePrimaryKey(String column, String otherwise) throws SQLException, StoreException {
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
        if (!columns.containsValue(column)) {
            throw refused("has no primary key on " + column + " alone, so that " + otherwise
                    + ": give it the primary key");
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

    /** Requires columns, and that times are exact; see {@link #missing}. */
    public void requireColumns(SqlStatement select, List<String> wanted, List<String> times, String otherwise)
            throws SQLException, StoreException {
        List<String> missing = missing(select, wanted, times, otherwise);
        if (!missing.isEmpty()) {
            throw lacks(missing);
        }
    }

    /** Says that the table lacks columns. */
    public StoreException lacks(List<String> missing) {
        return refused("lacks " + String.join(", ", missing) + ": give it the columns");
    }

    /**
     * Requires that times are exact, and returns which columns are missing.
     *
     * @param select reads no row, but all columns
     * @param times the columns of times
     * @param otherwise what could happen if a time were not exact
     */
    public List<String> missing(SqlStatement select, List<String> wanted, List<String> times, String otherwise)
            throws SQLException, StoreException {
        try (PreparedStatement check = session.prepare(select); ResultSet none = check.executeQuery()) {
            ResultSetMetaData columns = none.getMetaData();
            List<String> missing = new ArrayList<>(wanted);
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String name = columns.getColumnName(i).toLowerCase(Locale.ROOT);
                missing.remove(name);
                if (times.contains(name)) {
                    requireExactTime(columns, i, otherwise);
                }
            }
            return missing;
        }
    }

    /** A time with a zone depends on the session; a time without microseconds ends what is held early, or never. */
    private void requireExactTime(ResultSetMetaData columns, int column, String otherwise)
            throws SQLException, StoreException {
        String type = columns.getColumnTypeName(column);
        int digits = session.dialect().digitsOfSecond(columns, column);
        if (digits < MICROS || !session.dialect().isTimeType(type)) {
            throw refused("keeps " + columns.getColumnName(column).toLowerCase(Locale.ROOT) + " as " + type + " with "
                    + digits + " digits of a second, so that " + otherwise + ": give it the type");
        }
    }

    /** Says what is wrong, and which command prints the DDL that has it right. */
    public StoreException refused(String fault) {
        return misconfigured(fault + " of the DDL that " + config.printCommand(session.dialect()) + " prints");
    }

    public StoreException misconfigured(String fault) {
        return new StoreException(Kind.MISCONFIGURED, "Table " + table + ' ' + fault);
    }
}
