// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;

/**
 * A statement with a list of values. It has a text for each of a few sizes, so that databases see few different statements: a list is
 * filled up with its last element. A longer list than the longest is cut into parts.
 */
public final class SqlList {

    /** How long a list can be. Oracle accepts 1,000. */
    public static final List<Integer> SIZES = List.of(1, 10, 100, 500);

    /** The longest of {@link #SIZES}. */
    public static final int LONGEST = 500;

    private final NavigableMap<Integer, SqlStatement> bySize;

    SqlList(NavigableMap<Integer, SqlStatement> bySize) {
        this.bySize = bySize;
    }

    /** Returns the values with lists that a statement has room for; none if the lists are empty. */
    public List<Params> parts(Params params) {
        return params.parts(bySize.lastKey());
    }

    /** Returns the statement that has room for the lists among the values. */
    public SqlStatement forSizeOf(Params part) {
        return Objects.requireNonNull(bySize.ceilingEntry(part.listSize())).getValue();
    }
}
