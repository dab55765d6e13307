// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.jdbc.Database;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.spring.ReservationProperties.InitializeSchema;
import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Creates a table if it may, and otherwise complains at start-up that it is missing.
 *
 * @param table its name, as the application has set it
 */
record StoreTable(JdbcSettings settings, DataSource dataSource, Kind kind, String table) {

    private static final Log LOG = LogFactory.getLog(StoreTable.class);

    /** What the table is for. */
    enum Kind {
        LOCKS("lock table", "", "", "reservation.jdbc.table-name"), CLAIMS("table of claims", "", "-claims",
                "reservation.jdbc.claims-table-name"), OUTBOX("table of the outbox", "_LISTENERS", "-outbox",
                        "reservation.outbox.table-name");

        private final String words;

        /** What the name of the table that the DDL creates last adds to the name of the first. */
        private final String suffixOfLastTable;

        private final String suffixOfDdl;
        private final String property;

        Kind(String words, String suffixOfLastTable, String suffixOfDdl, String property) {
            this.words = words;
            this.suffixOfLastTable = suffixOfLastTable;
            this.suffixOfDdl = suffixOfDdl;
            this.property = property;
        }
    }

    static StoreTable ofLocks(JdbcSettings settings, DataSource dataSource) {
        return new StoreTable(settings, dataSource, Kind.LOCKS, settings.tableName());
    }

    static StoreTable ofClaims(JdbcSettings settings, DataSource dataSource) {
        return new StoreTable(settings, dataSource, Kind.CLAIMS, settings.claimsTableName());
    }

    static StoreTable ofOutbox(ReservationProperties properties, DataSource dataSource) {
        return new StoreTable(properties.jdbc(), dataSource, Kind.OUTBOX, properties.outbox().tableName());
    }

    /**
     * Makes sure that the table is there. If the database does not answer, the first use will say so.
     *
     * @throws ReservationConfigurationException if it is missing and must not or cannot be created
     */
    void prepare() {
        if (settings.initializeSchema() == InitializeSchema.NEVER) {
            return;
        }
        try {
            Optional<SQLException> problem = problem();
            if (problem.isPresent()) {
                create(problem.get());
            }
        } catch (SQLException e) {
            LOG.warn("Could not find out whether table " + table + " exists: " + e.getMessage());
        }
    }

    /** Returns why the table cannot be read, if that is so. */
    private Optional<SQLException> problem() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(select(table)).close();
                statement.executeQuery(select(table + kind.suffixOfLastTable)).close();
                return Optional.empty();
            } catch (SQLException e) {
                return Optional.of(e);
            } finally {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
            }
        }
    }

    private static String select(String table) {
        return "SELECT 1 FROM " + table + " WHERE 1 = 0";
    }

    private void create(SQLException problem) throws SQLException {
        boolean mayCreate = settings.initializeSchema() == InitializeSchema.ALWAYS
                || EmbeddedDatabaseConnection.isEmbedded(dataSource);
        String ddl = nameOfDdl();
        if (!mayCreate) {
            throw missing(ddl, problem);
        }
        try {
            execute(ddl, false);
        } catch (ScriptException e) {
            // Another node has executed some of the statements, or all: it is as fast as this one, or has died.
            execute(ddl, true);
            if (problem().isPresent()) {
                throw notCreated(problem, e);
            }
            LOG.info("Table " + table + " is there, but this node did not create all of it: " + e.getMessage());
            return;
        }
        Optional<SQLException> left = problem();
        if (left.isPresent()) {
            throw notCreated(problem, left.get());
        }
        LOG.info("Created table " + table + '.');
    }

    /** Executes the statements, each in a transaction of its own: one that fails does not undo the others. */
    private void execute(String ddl, boolean continueOnError) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                ScriptUtils.executeSqlScript(connection, script(ddl), continueOnError, false,
                        ScriptUtils.DEFAULT_COMMENT_PREFIX, ScriptUtils.DEFAULT_STATEMENT_SEPARATOR,
                        ScriptUtils.DEFAULT_BLOCK_COMMENT_START_DELIMITER,
                        ScriptUtils.DEFAULT_BLOCK_COMMENT_END_DELIMITER);
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private ReservationConfigurationException notCreated(SQLException problem, Exception cause) {
        return new ReservationConfigurationException(
                "The " + kind.words + ' ' + table + " cannot be read (" + problem.getMessage()
                        + "), and cannot be created either: " + cause.getMessage(),
                "Create it by hand, and set reservation.jdbc.initialize-schema=never.",
                cause);
    }

    private String nameOfDdl() throws SQLException {
        Database database = settings.database() == null ? detect() : settings.database();
        return database.name().toLowerCase(Locale.ROOT) + kind.suffixOfDdl;
    }

    private Database detect() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            // MySQL's driver says MySQL also of a MariaDB, which has other collations.
            return connection.getMetaData().getDatabaseProductVersion().contains("MariaDB")
                    ? Database.MARIADB
                    : Database.of(connection);
        } catch (IllegalArgumentException e) {
            throw new ReservationConfigurationException(
                    "The " + kind.words + ' ' + table + " is missing, and its database is not known: " + e.getMessage()
                            + '.',
                    "Set reservation.jdbc.database to the one that it is like.",
                    e);
        }
    }

    private EncodedResource script(String ddl) {
        return new EncodedResource(
                new ByteArrayResource(Ddl.of(ddl, table).getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    private ReservationConfigurationException missing(String ddl, SQLException problem) {
        return new ReservationConfigurationException(
                "The " + kind.words + ' ' + table + " cannot be read: " + problem.getMessage(),
                "Create it with the statements that "
                        + (kind == Kind.LOCKS
                                ? "java -jar reservation-lock.jar ddl "
                                : "java -cp reservation-lock.jar:reservation-pattern.jar com.github.reservation.jdbc.Ddl ddl ")
                        + ddl
                        + " prints, for example in a migration, or set reservation.jdbc.initialize-schema=always to have it"
                        + " created at start-up. " + kind.property + " sets another name.",
                problem);
    }
}
