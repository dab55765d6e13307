// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a lock table, perhaps with its schema. It goes into SQL text and comes from configuration: so it is either
 * made of plain identifiers, or not taken at all.
 */
public record TableName(String name) {

    private static final Pattern IDENTIFIERS =
            Pattern.compile("[A-Za-z][A-Za-z0-9_$]{0,127}(\\.[A-Za-z][A-Za-z0-9_$]{0,127})?");

    public TableName {
        Objects.requireNonNull(name, "tableName must not be null");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("tableName must not be empty");
        }
        if (!IDENTIFIERS.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "tableName must be an identifier, or two with a dot between them (letters, digits, _ and $, "
                            + "a letter first, at most 128 characters each), but is \"" + name + '"');
        }
    }

    /** Returns the schema; asked only if there is one. */
    String schema() {
        return name.substring(0, name.indexOf('.'));
    }

    boolean hasSchema() {
        return name.indexOf('.') >= 0;
    }

    String withoutSchema() {
        return name.substring(name.indexOf('.') + 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
