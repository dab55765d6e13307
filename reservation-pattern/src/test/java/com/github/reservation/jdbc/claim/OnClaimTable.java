// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import com.github.reservation.claim.Claims;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests of the table of claims, on one database after another. */
abstract class OnClaimTable {

    protected static final Duration LONG = Duration.ofMinutes(5);
    protected static final String ALICE = "alice@example.com";

    @Parameter
    protected Databases kind;

    @TempDir
    protected Path directory;

    protected TestDatabase database;

    @BeforeEach
    final void open() {
        database = kind.open(directory);
        install(database);
    }

    @AfterEach
    final void close() {
        if (database != null) {
            database.close();
        }
    }

    /** Makes the table of claims anew, from the DDL that users get. */
    static void install(TestDatabase database) {
        database.execute("DROP TABLE IF EXISTS RESERVATION_CLAIMS");
        database.execute(Ddl.of(database.kind().ddl() + "-claims"));
    }

    protected final Claims claims() {
        return Claims.jdbc(database.pool(4)).build();
    }

    protected final String printCommand() {
        return "java -cp reservation-lock.jar:reservation-pattern.jar com.github.reservation.jdbc.Ddl ddl " + kind.ddl()
                + "-claims";
    }
}
