// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import java.sql.ResultSet;
import java.sql.SQLException;

/** An order that holds some pieces of an item. */
record Order(long id, long item, int quantity) {

    static Order read(ResultSet row) throws SQLException {
        return new Order(row.getLong("id"), row.getLong("item"), row.getInt("quantity"));
    }

    boolean isScarce() {
        return item < StockTables.SCARCE_ITEMS;
    }
}
