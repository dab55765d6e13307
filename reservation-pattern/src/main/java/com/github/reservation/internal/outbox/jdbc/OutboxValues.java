// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that a statement on the tables of an outbox can bind, for one execution. Each {@code :ids} or {@code :names} of a list
 * takes the next element; the last one fills the list up.
 */
final class OutboxValues implements SqlStatement.Values {

    static final Set<String> PARAMETERS = Set.of(
            "id", "ids", "lane", "keyid", "key", "type", "payload", "listener", "types", "owner", "micros", "state",
            "attempts", "error", "limit", "old", "lanes", "keyids", "keys", "payloads", "names");

    private static final Set<String> OF_A_LIST = Set.of("ids", "names");

    private final Map<String, Object> values;
    private final Iterator<?> list;
    private @Nullable Object last;

    private OutboxValues(List<?> list, Map<String, Object> values) {
        this.list = list.iterator();
        this.values = values;
    }

    static OutboxValues of(Map<String, Object> values) {
        return new OutboxValues(List.of(), values);
    }

    /** Binds a list of ids, or of the names of types. */
    static OutboxValues withList(List<?> list, Map<String, Object> values) {
        return new OutboxValues(list, values);
    }

    @Override
    public void set(PreparedStatement statement, int index, String parameter) throws SQLException {
        if (OF_A_LIST.contains(parameter) && list.hasNext()) {
            last = list.next();
        }
        switch (OF_A_LIST.contains(parameter) ? last : values.get(parameter)) {
            case String text -> statement.setString(index, text);
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case String[] texts -> statement.setArray(index, statement.getConnection().createArrayOf("text", texts));
            case null, default -> throw new IllegalArgumentException("There is no value for :" + parameter);
        }
    }
}
