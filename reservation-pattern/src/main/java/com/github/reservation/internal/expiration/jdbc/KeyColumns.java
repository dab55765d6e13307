// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Conditions on the key columns of a table. */
final class KeyColumns {

    private KeyColumns() {}

    /** Returns the condition that the key is one of a list; the parameter {@code :key} stands for each value of each key. */
    static String in(List<String> columns, int keys) {
        if (columns.size() == 1) {
            return columns.getFirst() + " IN (" + String.join(", ", Collections.nCopies(keys, ":key")) + ")";
        }
        String one = columns.stream().map(column -> column + " = :key").collect(Collectors.joining(" AND ", "(", ")"));
        return "(" + String.join(" OR ", Collections.nCopies(keys, one)) + ")";
    }

    /** Returns the condition that the key comes after one, column by column: no database turns a list into an index range. */
    static String after(List<String> columns) {
        return after(columns, 0);
    }

    private static String after(List<String> columns, int index) {
        String greater = columns.get(index) + " > :" + parameterOfAfter(index);
        return index == columns.size() - 1
                ? greater
                : "(" + greater + " OR (" + columns.get(index) + " = :" + parameterOfAfter(index) + " AND "
                        + after(columns, index + 1) + "))";
    }

    /** Returns the names of the parameters of {@link #after}, in the order of the columns. */
    static List<String> parametersOfAfter(List<String> columns) {
        return IntStream.range(0, columns.size()).mapToObj(KeyColumns::parameterOfAfter).toList();
    }

    private static String parameterOfAfter(int index) {
        return "after" + (char) ('a' + index);
    }
}
