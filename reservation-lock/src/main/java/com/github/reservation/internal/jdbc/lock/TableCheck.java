// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

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
 * Looks whether a table can be a lock table, once. One that is almost as the DDL makes it works, and at times grants a key
 * twice: it is refused.
 */
final class TableCheck {

    /** Equal to {@code a} for every collation that follows the rules of a language, however strictly. */
    private static final String IGNORED_BY_LANGUAGES = "a\u0001";

    private static final List<String> COLUMNS = List.of(
            "reservation_key", "holder", "acquired_at", "expires_at", "fence", "waiters", "reserved_until");

    /** Those that the migration adds. */
    private static final List<String> ADDED = COLUMNS.subList(4, 7);

    private static final List<String> TIMES = List.of("acquired_at", "expires_at");

    /** How many digits of a second a lease needs. */
    private static final int MICROS = 6;

    private final SqlSession session;
    private final TableName table;

    TableCheck(SqlSession session, TableName table) {
        this.session = session;
        this.table = table;
    }

    /** Throws a {@code MISCONFIGURED} that says what to change, if anything is to be. */
    void run() throws SQLException, StoreException {
        requireExactKeys();
        requirePrimaryKey();
        requireColumns();
    }

    private void requireExactKeys() throws SQLException, StoreException {
        try (PreparedStatement check = session.prepare(session.statements().checkKeys)) {
            session.statements().checkKeys.bind(check, SqlStatement.Values.of(IGNORED_BY_LANGUAGES));
            try (ResultSet row = check.executeQuery()) {
                row.next();
                if (row.getLong(1) > 0) {
                    throw refused(
                            "takes different keys for equal (upper and lower case, accents, blanks at the end, or"
                                    + " characters that its character set lacks):"
                                    + " give reservation_key and holder the collation");
                }
            }
        }
    }

    /**
     * Without a unique key every insert succeeds, and two nodes could hold the same key. There may be tables of this name in
     * several schemas, and databases differ in what they call a schema.
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
                    if (isOurs(place, schema)) {
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

    /** Returns whether our table may be there. */
    private boolean isOurs(@Nullable String catalog, @Nullable String schema) throws SQLException {
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
        try (PreparedStatement check = session.prepare(session.statements().checkColumns);
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

    /** A time with a zone is another one for each session; one without its fraction ends leases early, or never. */
    private void requireExactTime(ResultSetMetaData columns, int column) throws SQLException, StoreException {
        String type = columns.getColumnTypeName(column);
        int digits = session.dialect().digitsOfSecond(columns, column);
        if (digits < MICROS || !session.dialect().isTimeType(type)) {
            throw refused("keeps " + columns.getColumnName(column).toLowerCase(Locale.ROOT) + " as " + type + " with "
                    + digits + " digits of a second, so that a lease could end early or never: give it the type");
        }
    }

    /** To go on without a fence would take away, without a word, what some rely on. */
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
