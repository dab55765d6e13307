// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one execution of a statement, by the names of their parameters. A statement binds those that it names.
 *
 * <p>A {@link Duration} is sent in microseconds. A {@link List} is for a {@link SqlList}.
 */
public final class Params {

    public static final Params NONE = new Params();

    /** Name, value, name, value. They are few: a search costs less than a map. */
    private final @Nullable Object[] pairs;

    private Params(@Nullable Object... pairs) {
        this.pairs = pairs;
    }

    /** Returns values, each after its name. */
    public static Params of(@Nullable Object... namesAndValues) {
        return new Params(namesAndValues);
    }

    /** Returns these values and more, each after its name. */
    public Params and(@Nullable Object... namesAndValues) {
        @Nullable Object[] all = Arrays.copyOf(pairs, pairs.length + namesAndValues.length);
        System.arraycopy(namesAndValues, 0, all, pairs.length, namesAndValues.length);
        return new Params(all);
    }

    /** Sets a parameter whose name has occurred in the statement so often before. */
    void set(PreparedStatement statement, int index, String name, int earlier) throws SQLException {
        for (int i = 0; i < pairs.length; i += 2) {
            if (name.equals(pairs[i])) {
                set(statement, index, elementOf(pairs[i + 1], earlier));
                return;
            }
        }
        throw new IllegalArgumentException("There is no value for :" + name);
    }

    /** The last element of a list fills it up. */
    private static @Nullable Object elementOf(@Nullable Object value, int earlier) {
        return value instanceof List<?> list ? list.get(Math.min(earlier, list.size() - 1)) : value;
    }

    private static void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setString(index, null);
            case String text -> statement.setString(index, text);
            case Duration duration -> statement.setLong(index, SqlValues.micros(duration));
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case Boolean flag -> statement.setBoolean(index, flag);
            case Array array -> statement.setArray(index, array);
            default -> statement.setObject(index, value);
        }
    }

    /** Returns how long the lists are; 0 if there is none. */
    int listSize() {
        for (Object value : pairs) {
            if (value instanceof List<?> list) {
                return list.size();
            }
        }
        return 0;
    }

    /** Cuts the lists into parts of at most this size. */
    List<Params> parts(int longest) {
        int size = listSize();
        if (size <= longest) {
            return size == 0 ? List.of() : List.of(this);
        }
        List<Params> parts = new ArrayList<>();
        for (int from = 0; from < size; from += longest) {
            @Nullable Object[] part = pairs.clone();
            for (int i = 1; i < part.length; i += 2) {
                if (part[i] instanceof List<?> list) {
                    part[i] = list.subList(from, Math.min(size, from + longest));
                }
            }
            parts.add(new Params(part));
        }
        return parts;
    }
}
