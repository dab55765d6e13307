// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.internal.sql.TableFiles;
import com.github.reservation.internal.sql.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the statements that create the tables of this library: {@code java -jar reservation-lock.jar ddl postgresql} for locks. With
 * {@code reservation-pattern.jar} on the class path, {@code java -cp reservation-lock.jar:reservation-pattern.jar
 * com.github.reservation.jdbc.Ddl ddl postgresql-claims} prints those for claims, and {@code … ddl postgresql-outbox} those for an outbox.
 * A third argument is the name of the table, if it is not the default. The library never executes them.
 */
public final class Ddl {

    private Ddl() {}

    /** Prints the requested statements, or exits with status 2 if the arguments are wrong. */
    public static void main(String[] args) {
        int status = run(args, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        Map<String, File> files = files();
        if (args.length < 2 || args.length > 3 || !args[0].equals("ddl") || !files.containsKey(args[1])) {
            err.println("usage: java -jar reservation-lock.jar ddl <name> [<table>], where <name> is one of "
                    + String.join(", ", files.keySet()));
            return 2;
        }
        try {
            out.print(args.length == 2 ? of(args[1]) : of(args[1], args[2]));
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
        return 0;
    }

    /**
     * Returns the statements that create the lock table, with {@code -migration} those that add the missing columns to a lock table
     * with four columns. If {@code reservation-pattern} is there, also with {@code -claims} those that create the table of claims, with
     * {@code -claims-migration} those that replace the MD5 in a table of claims by SHA-256, and with {@code -outbox} those that create
     * the tables of an outbox.
     *
     * @param name the name of a database in lower case, optionally with one of these suffixes; H2 and Oracle need no migration of claims
     * @throws IllegalArgumentException if the name is unknown
     */
    public static String of(String name) {
        File file = fileOf(name);
        try (InputStream content = file.open()) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("The jar cannot be read", e);
        }
    }

    /**
     * Returns the same statements for a table of another name. Names of constraints and indexes change with it, and so do those of the
     * further tables of an outbox.
     *
     * @param table an identifier, or two with a dot between them, as a builder takes it
     * @throws IllegalArgumentException if the name is unknown, or the table is not an identifier
     */
    public static String of(String name, String table) {
        String ours = fileOf(name).table();
        TableName theirs = new TableName(table);
        String inConstraints = theirs.withoutSchema().toLowerCase(Locale.ROOT);
        // In one pass: the name of the table may contain the name that it replaces.
        return Pattern.compile(ours, Pattern.CASE_INSENSITIVE)
                .matcher(of(name))
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group().equals(ours) ? theirs.name() : inConstraints));
    }

    private static File fileOf(String name) {
        Objects.requireNonNull(name, "name must not be null");
        Map<String, File> files = files();
        File file = files.get(name);
        if (file == null) {
            throw new IllegalArgumentException("name must be one of " + files.keySet() + ", but is \"" + name + '"');
        }
        return file;
    }

    /** Returns the files of all our jars that are there, by their names. */
    private static Map<String, File> files() {
        Map<String, File> files = new LinkedHashMap<>();
        Stream.concat(
                Stream.of(new LockTableFiles()),
                ServiceLoader.load(TableFiles.class, Ddl.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get))
                .forEach(jar -> addFilesOf(jar, files));
        return files;
    }

    private static void addFilesOf(TableFiles jar, Map<String, File> files) {
        for (TableFiles.Kind kind : jar.kinds()) {
            for (Database database : Database.values()) {
                String name = database.name().toLowerCase(Locale.ROOT) + kind.suffix();
                File file = new File(jar, name + ".sql", kind.table());
                if (file.exists()) {
                    files.put(name, file);
                }
            }
        }
    }

    private record File(TableFiles jar, String name, String table) {

        boolean exists() {
            try (InputStream content = jar.open(name)) {
                return content != null;
            } catch (IOException e) {
                throw new IllegalStateException("The jar cannot be read", e);
            }
        }

        InputStream open() {
            return Objects.requireNonNull(jar.open(name), name);
        }
    }

    private static final class LockTableFiles implements TableFiles {

        @Override
        public List<Kind> kinds() {
            return List.of(new Kind("", "RESERVATION_LOCKS"), new Kind("-migration", "RESERVATION_LOCKS"));
        }

        @Override
        public @Nullable InputStream open(String file) {
            return Ddl.class.getResourceAsStream(file);
        }
    }
}
