// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.outbox;

import com.github.reservation.internal.sql.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values that a statement on the tables of an outbox can bind, for one execution. Each {@code :id} of a list takes the next id; the
 * last one fills the list up.
 */
final class OutboxValues implements SqlStatement.Values {

    static final Set<String> PARAMETERS = Set.of(
            "id", "ids", "lane", "keyid", "key", "type", "payload", "listener", "types", "owner", "micros", "state",
            "attempts", "error", "limit", "old", "lanes", "keyids", "keys", "payloads");

    private final Map<String, Object> values;
    private final Iterator<Long> ids;
    private long lastId;

    private OutboxValues(List<Long> ids, Map<String, Object> values) {
        this.ids = ids.iterator();
        this.values = values;
    }

    static OutboxValues of(Map<String, Object> values) {
        return new OutboxValues(List.of(), values);
    }

    static OutboxValues withIds(List<Long> ids, Map<String, Object> values) {
        return new OutboxValues(ids, values);
    }

    @Override
    public void set(PreparedStatement statement, int index, String parameter) throws SQLException {
        if (parameter.equals("ids")) {
            lastId = ids.hasNext() ? ids.next() : lastId;
            statement.setLong(index, lastId);
            return;
        }
        switch (values.get(parameter)) {
            case String text -> statement.setString(index, text);
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case String[] texts -> statement.setArray(index, statement.getConnection().createArrayOf("text", texts));
            case null, default -> throw new IllegalArgumentException("There is no value for :" + parameter);
        }
    }
}
