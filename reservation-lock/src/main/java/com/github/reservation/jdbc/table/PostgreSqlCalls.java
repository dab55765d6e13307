// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

final class PostgreSqlCalls {
    static final String CHANNEL = "reservation_lock";
    private PostgreSqlCalls() {}
}
