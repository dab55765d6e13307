// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Prints the statements that create the tables of this library: {@code java -jar reservation-lock.jar ddl postgresql} for locks,
 * {@code … ddl postgresql-claims} for claims, {@code … ddl postgresql-outbox} for an outbox. The library never executes them.
 */
public final class Ddl {

    private static final List<String> NAMES = List.of(
            "postgresql", "postgresql-migration", "mysql", "mysql-migration", "mariadb", "mariadb-migration", "h2",
            "h2-migration", "oracle", "oracle-migration", "postgresql-claims", "mysql-claims", "mariadb-claims",
            "h2-claims", "oracle-claims", "postgresql-claims-migration", "mysql-claims-migration",
            "mariadb-claims-migration", "postgresql-outbox", "mysql-outbox", "mariadb-outbox", "h2-outbox",
            "oracle-outbox");

    private Ddl() {}

    /** Prints the requested statements, or exits with status 2 if the arguments are wrong. */
    public static void main(String[] args) {
        int status = run(args, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length != 2 || !args[0].equals("ddl") || !NAMES.contains(args[1])) {
            err.println("usage: java -jar reservation-lock.jar ddl <name>, where <name> is one of "
                    + String.join(", ", NAMES));
            return 2;
        }
        out.print(of(args[1]));
        return 0;
    }

    /**
     * Returns the statements that create the lock table, with {@code -migration} those that add the missing columns to a lock table
     * with four columns, with {@code -claims} those that create the table of claims, with {@code -claims-migration} those that replace
     * the MD5 in a table of claims by SHA-256, or with {@code -outbox} those that create the tables of an outbox.
     *
     * @param name the name of a database in lower case, optionally with {@code -migration}, {@code -claims}, {@code -claims-migration} or
     *     {@code -outbox}; H2 and Oracle need no migration of claims
     * @throws IllegalArgumentException if the name is unknown
     */
    public static String of(String name) {
        Objects.requireNonNull(name, "name must not be null");
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("name must be one of " + NAMES + ", but is \"" + name + '"');
        }
        try (InputStream resource = Ddl.class.getResourceAsStream(name + ".sql")) {
            if (resource == null) {
                throw new IllegalStateException("The jar lacks " + name + ".sql");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("The jar cannot be read", e);
        }
    }
}
