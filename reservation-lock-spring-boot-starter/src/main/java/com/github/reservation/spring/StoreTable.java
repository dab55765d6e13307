// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.jdbc.Database;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.spring.ReservationProperties.InitializeSchema;
import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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
        LOCKS("lock table", "RESERVATION_LOCKS", "", "reservation.jdbc.table-name"), CLAIMS("table of claims",
                "RESERVATION_CLAIMS", "-claims", "reservation.jdbc.claims-table-name"), OUTBOX("table of the outbox",
                        "RESERVATION_OUTBOX", "-outbox", "reservation.outbox.table-name");

        private final String words;
        private final String nameInDdl;
        private final String suffixOfDdl;
        private final String property;

        Kind(String words, String nameInDdl, String suffixOfDdl, String property) {
            this.words = words;
            this.nameInDdl = nameInDdl;
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
                statement.executeQuery("SELECT 1 FROM " + table + " WHERE 1 = 0").close();
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

    private void create(SQLException problem) throws SQLException {
        boolean mayCreate = settings.initializeSchema() == InitializeSchema.ALWAYS
                || EmbeddedDatabaseConnection.isEmbedded(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            String ddl = nameOfDdl(connection);
            if (!mayCreate) {
                throw missing(ddl, problem);
            }
            ScriptUtils.executeSqlScript(connection, script(ddl));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (ScriptException e) {
            if (problem().isPresent()) {
                throw notCreated(problem, e);
            }
            return; // Another node was faster.
        }
        Optional<SQLException> left = problem();
        if (left.isPresent()) {
            throw notCreated(problem, left.get());
        }
        LOG.info("Created table " + table + '.');
    }

    private ReservationConfigurationException notCreated(SQLException problem, Exception cause) {
        return new ReservationConfigurationException(
                "The " + kind.words + ' ' + table + " cannot be read (" + problem.getMessage()
                        + "), and cannot be created either: " + cause.getMessage(),
                "Create it by hand, and set reservation.jdbc.initialize-schema=never.",
                cause);
    }

    private String nameOfDdl(Connection connection) throws SQLException {
        Database database = settings.database() == null ? detect(connection.getMetaData()) : settings.database();
        return database.name().toLowerCase(Locale.ROOT) + kind.suffixOfDdl;
    }

    private Database detect(DatabaseMetaData connected) throws SQLException {
        String product = connected.getDatabaseProductName();
        // MySQL's driver says MySQL also of a MariaDB, which has other collations.
        boolean isMariaDb = connected.getDatabaseProductVersion().contains("MariaDB");
        return Arrays.stream(Database.values())
                .filter(known -> known.name().equalsIgnoreCase(isMariaDb ? Database.MARIADB.name() : product))
                .findFirst()
                .orElseThrow(() -> new ReservationConfigurationException(
                        "The " + kind.words + ' ' + table + " is missing, and the database " + product
                                + " is not one of " + Arrays.toString(Database.values()) + '.',
                        "Set reservation.jdbc.database to the one that it is like."));
    }

    private EncodedResource script(String ddl) {
        String nameInConstraints = table.substring(table.indexOf('.') + 1).toLowerCase(Locale.ROOT);
        // In one pass: the name of the table may contain the name that it replaces.
        String text = Pattern.compile(kind.nameInDdl, Pattern.CASE_INSENSITIVE)
                .matcher(Ddl.of(ddl))
                .replaceAll(found -> found.group().equals(kind.nameInDdl) ? table : nameInConstraints);
        return new EncodedResource(
                new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    private ReservationConfigurationException missing(String ddl, SQLException problem) {
        return new ReservationConfigurationException(
                "The " + kind.words + ' ' + table + " cannot be read: " + problem.getMessage(),
                "Create it with the statements that java -jar reservation-lock.jar ddl " + ddl
                        + " prints, for example in a migration, or set reservation.jdbc.initialize-schema=always to have it"
                        + " created at start-up. " + kind.property + " sets another name.",
                problem);
    }
}
