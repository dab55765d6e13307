// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.Params;
import java.util.List;
import java.util.stream.IntStream;

/** Conditions on the key columns of a table. */
final class KeyColumns {

    private KeyColumns() {}

    /** Returns the condition that the key is one of a list, which is made of {@link #element}. */
    static String in(List<String> columns) {
        return inParentheses(columns) + " IN ({list})";
    }

    /** Returns an element of the list, with a parameter for each column. */
    static String element(List<String> columns) {
        return inParentheses(parameters(columns).stream().map(name -> ":" + name).toList());
    }

    /** A single value has no parentheses. */
    private static String inParentheses(List<String> parts) {
        return parts.size() == 1 ? parts.getFirst() : "(" + String.join(", ", parts) + ")";
    }

    /** Returns the values of a list of keys. */
    static Params paramsOf(List<RowKey> keys) {
        Object[] pairs = new Object[keys.isEmpty() ? 0 : 2 * keys.getFirst().values().size()];
        for (int i = 0; i < pairs.length / 2; i++) {
            int column = i;
            pairs[2 * i] = parameterOf(i);
            pairs[2 * i + 1] = keys.stream().map(key -> key.values().get(column)).toList();
        }
        return Params.of(pairs);
    }

    /** Returns the condition that the key comes after one, column by column: no database turns a list into an index range. */
    static String after(List<String> columns) {
        return after(columns, 0);
    }

    private static String after(List<String> columns, int index) {
        String greater = columns.get(index) + " > :" + parameterOf(index);
        return index == columns.size() - 1
                ? greater
                : "(" + greater + " OR (" + columns.get(index) + " = :" + parameterOf(index) + " AND "
                        + after(columns, index + 1) + "))";
    }

    /** Returns the names of the parameters of a key, in the order of the columns. */
    static List<String> parameters(List<String> columns) {
        return IntStream.range(0, columns.size()).mapToObj(KeyColumns::parameterOf).toList();
    }

    /** Returns the values of one key. */
    static Params paramsOf(RowKey key) {
        return paramsOf(List.of(key));
    }

    /** Parameters have names of letters alone. */
    private static String parameterOf(int index) {
        return "key" + (char) ('a' + index);
    }
}
