// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.NeedsBackend;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.LentDatabase;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.MySqlServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.oracle.OracleErrors;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;

/** The databases that every test of a table runs on. */
public enum Databases implements NeedsBackend {
    POSTGRESQL(Backend.POSTGRESQL, "postgresql"), MARIADB(Backend.MARIADB, "mariadb"), MYSQL(Backend.MYSQL,
            "mysql"), H2_IN_MEMORY(Backend.H2,
                    "h2"), H2_FILE(Backend.H2, "h2"),
    /** H2 again, but spoken to as if it were an Oracle. */
    ORACLE_MODE(Backend.ORACLE_MODE, "oracle");

    private final Backend backend;
    private final String ddl;

    Databases(Backend backend, String ddl) {
        this.backend = backend;
        this.ddl = ddl;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    /** Returns the name of the DDL that belongs to it. */
    public String ddl() {
        return ddl;
    }

    /** Returns whether it speaks the language of MySQL. */
    public boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }

    public boolean isH2() {
        return ddl.equals("h2") || this == ORACLE_MODE;
    }

    /**
     * Opens the database with an empty lock table, as the DDL makes it, and nothing else that matters.
     *
     * @param directory where an H2 file may be
     */
    public TestDatabase open(Path directory) {
        TestDatabase database = switch (this) {
            case POSTGRESQL, MARIADB, MYSQL -> lentBy(server());
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> openNew(directory);
        };
        database.install();
        return database;
    }

    /** Opens a database that has nothing in it, not even the lock table, and that no other test knows. */
    public TestDatabase openNew(Path directory) {
        backend.require();
        return switch (this) {
            case POSTGRESQL, MARIADB, MYSQL -> on(server());
            case H2_IN_MEMORY -> h2("mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            case H2_FILE -> h2("file:" + directory.resolve("locks"));
            case ORACLE_MODE -> new TestDatabase(
                    this, "jdbc:oracle-mode:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        };
    }

    /** Returns the server that all tests share. */
    public DatabaseServer server() {
        return switch (this) {
            case POSTGRESQL -> PostgresServer.shared();
            case MARIADB -> MariaDbServer.shared();
            case MYSQL -> MySqlServer.shared();
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> throw new IllegalStateException(this + " has no server");
        };
    }

    /** Starts a server that the caller may break, and closes. */
    DatabaseServer startServer() {
        return switch (this) {
            case POSTGRESQL -> PostgresServer.start();
            case MARIADB -> MariaDbServer.start();
            case MYSQL -> MySqlServer.start();
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> throw new IllegalStateException(this + " has no server");
        };
    }

    /** Returns a new and empty database on that server, which is of this kind. */
    public TestDatabase on(DatabaseServer server) {
        var created = server.newDatabase();
        return new TestDatabase(this, created.url(), created.user(), created.password());
    }

    /** Returns what its driver throws if the connection breaks. */
    public SQLException connectionLost() {
        return switch (this) {
            case POSTGRESQL -> new SQLException("Scripted", "08006");
            case MARIADB, MYSQL -> new SQLException("Scripted", "08S01");
            case H2_IN_MEMORY, H2_FILE -> new SQLException("Scripted", "90067", 90067);
            case ORACLE_MODE -> OracleErrors.ora(17002);
        };
    }

    private TestDatabase lentBy(DatabaseServer server) {
        LentDatabase lent = new LentDatabase(server);
        var database = lent.database();
        return new TestDatabase(this, database.url(), database.user(), database.password()).closing(lent);
    }

    private TestDatabase h2(String place) {
        return new TestDatabase(this, "jdbc:h2:" + place, "sa", "");
    }
}
