// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

/** A MySQL that somebody has: {@code -Dmysql.url=jdbc:mysql://127.0.0.1:3306/test}, with {@code -Dmysql.user} and {@code -Dmysql.password}. */
public final class MySqlServer {

    private static final DatabaseServer SERVER = NamedServer.of("mysql").orElseThrow();

    private MySqlServer() {}

    /** The server that is named. */
    public static DatabaseServer named() {
        return SERVER;
    }
}
