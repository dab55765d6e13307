// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.base.Limits;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Checks what comes from configuration and goes into SQL text. */
public final class SqlParts {

    private static final int MOST_KEYS = 8;
    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,127}");
    private static final Pattern STATUS = Pattern.compile("[A-Za-z0-9_. -]{1,64}");

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");

    /** What a template would take for its own, also in quotes, and the escape of quotes that only some databases know. */
    private static final Pattern FORBIDDEN = Pattern.compile("[?{}\\\\]|:[a-z]");

    /** The end of a statement, a comment, half of a pair of quotes. */
    private static final Pattern FORBIDDEN_OUTSIDE_QUOTES = Pattern.compile("[;'#]|--|/\\*");

    private SqlParts() {}

    public static String requireColumn(String argument, String column) {
        return Limits.matching(argument, column, COLUMN,
                "be an identifier (letters, digits, _ and $, at most 128 characters)");
    }

    public static List<String> requireColumns(String... columns) {
        Objects.requireNonNull(columns, "columns must not be null");
        for (String column : columns) {
            requireColumn("column", column);
        }
        return List.of(columns);
    }

    public static List<String> requireKey(String... columns) {
        List<String> keys = requireColumns(columns);
        if (keys.isEmpty() || keys.size() > MOST_KEYS) {
            throw new IllegalArgumentException(
                    "key must have between 1 and " + MOST_KEYS + " columns, but has " + keys.size());
        }
        return keys;
    }

    public static String requireStatus(String argument, String status) {
        return Limits.matching(argument, status, STATUS, "have 1 to 64 letters, digits, blanks or characters _ . -");
    }

    public static String requireCondition(String condition) {
        Objects.requireNonNull(condition, "condition must not be null");
        if (condition.isBlank()) {
            throw new IllegalArgumentException("condition must not be blank");
        }
        String rest = QUOTED.matcher(condition).replaceAll("");
        if (FORBIDDEN.matcher(condition).find() || FORBIDDEN_OUTSIDE_QUOTES.matcher(rest).find()) {
            throw new IllegalArgumentException(
                    "condition must not contain ?, {, }, ;, \\, a comment, half of a pair of quotes"
                            + " or a colon before a letter, but is \"" + condition + '"');
        }
        if (!isBalanced(rest)) {
            throw new IllegalArgumentException("condition must have matching parentheses, but is \"" + condition + '"');
        }
        return condition;
    }

    private static boolean isBalanced(String text) {
        int open = 0;
        for (int i = 0; i < text.length() && open >= 0; i++) {
            open += switch (text.charAt(i)) {
                case '(' -> 1;
                case ')' -> -1;
                default -> 0;
            };
        }
        return open == 0;
    }
}
