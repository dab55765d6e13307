// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.jdbc.Ddl;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

/** What can be said of a statement for Oracle without an Oracle. */
public final class OracleLanguage {

    private OracleLanguage() {}

    /** Asks the driver itself, by a class that it hides: only it can say how it reads a statement. */
    public static String askTheDriver(String sql, String question, String... columns) {
        try {
            Class<?> generatedKeys = Class.forName("oracle.jdbc.driver.AutoKeyInfo");
            Method create = generatedKeys.getDeclaredMethod("create", String.class, String[].class);
            Method answer = generatedKeys.getDeclaredMethod(question);
            create.setAccessible(true);
            answer.setAccessible(true);
            return (String) answer.invoke(create.invoke(null, sql, columns));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("Oracle's driver does it in another way now", e);
        }
    }

    /** Returns the statements of DDL, with what a DBA may want to run as well, which is commented out. */
    public static Stream<String> ddl(String... names) {
        return Stream.of(names)
                .map(name -> Ddl.of(name).replaceAll("(?m)^-- ((GRANT|DELETE) .*;)$", "$1"))
                .map(script -> script.replaceAll("(?m)^--.*$", ""))
                .flatMap(script -> Arrays.stream(script.split(";")))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty());
    }

    /** Bytes are no text to an Oracle. H2, which runs the statements for it, has them compared with one all the same. */
    public static void assertBytesAreComparedWithBytes(String sql) {
        String bytes = "NLSSORT\\((?:[^()]|\\([^()]*\\)|TO_CHAR\\(UNISTR\\([^()]*\\)\\))*\\)";
        String list = "\\(" + bytes + "(?:, " + bytes + ")*\\)";

        assertThat(sql.replaceAll(bytes + " (?:= " + bytes + "|IN " + list + ")", "")).doesNotContain("NLSSORT");
    }
}
