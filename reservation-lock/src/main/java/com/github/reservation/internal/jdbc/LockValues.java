// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/**
 * The values that a statement on the lock table can bind. A component has the name of its parameter. Arrays for many leases are bound by
 * {@link LeaseChanges}.
 *
 * @param next who holds the key after the holder, if the key is passed on
 * @param micros a duration: how long a lease runs, or how long ago something was
 * @param node the node that asks for the key or gives it back
 * @param waits whether the node waits if it is refused
 * @param grace for how long a free key is reserved for the first waiting node, in microseconds
 */
record LockValues(
        String key, String holder, String next, long micros, String node, boolean waits, long grace, int limit)
        implements SqlStatement.Values {

    static final Set<String> PARAMETERS =
            Set.of("key", "keys", "holder", "holders", "next", "micros", "node", "waits", "grace", "limit");

    static LockValues of(String key) {
        return of(key, "", 0);
    }

    static LockValues of(String key, String holder, long micros) {
        return new LockValues(key, holder, "", micros, "", false, 0, 0);
    }

    LockValues withNext(String newNext) {
        return new LockValues(key, holder, newNext, micros, node, waits, grace, limit);
    }

    LockValues withNode(String newNode, boolean newWaits) {
        return new LockValues(key, holder, next, micros, newNode, newWaits, grace, limit);
    }

    LockValues withGrace(long newGrace) {
        return new LockValues(key, holder, next, micros, node, waits, newGrace, limit);
    }

    LockValues withLimit(int newLimit) {
        return new LockValues(key, holder, next, micros, node, waits, grace, newLimit);
    }

    @Override
    public void set(PreparedStatement statement, int index, String parameter) throws SQLException {
        switch (parameter) {
            case "key" -> statement.setString(index, key);
            case "holder" -> statement.setString(index, holder);
            case "next" -> statement.setString(index, next);
            case "micros" -> statement.setLong(index, micros);
            case "node" -> statement.setString(index, WaitersColumn.entry(node));
            case "waits" -> statement.setBoolean(index, waits);
            case "grace" -> statement.setLong(index, grace);
            case "limit" -> statement.setInt(index, limit);
            default -> throw new IllegalArgumentException("There is no parameter :" + parameter);
        }
    }
}
