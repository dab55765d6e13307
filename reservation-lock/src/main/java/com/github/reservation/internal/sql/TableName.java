// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a table, with or without its schema. It comes from configuration and goes into SQL text, so it must consist of
 * plain identifiers.
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

    /** Returns the schema. Call it only if there is one. */
    public String schema() {
        return name.substring(0, name.indexOf('.'));
    }

    public boolean hasSchema() {
        return name.indexOf('.') >= 0;
    }

    public String withoutSchema() {
        return name.substring(name.indexOf('.') + 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
