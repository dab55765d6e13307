// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;

/** The databases that can contain a lock table. */
public enum Database {
    POSTGRESQL, MYSQL, MARIADB, H2, ORACLE;

    Dialect dialect() {
        return switch (this) {
            case POSTGRESQL -> Dialects.POSTGRESQL;
            case MYSQL -> Dialects.MYSQL;
            case MARIADB -> Dialects.MARIADB;
            case H2 -> Dialects.H2;
            case ORACLE -> Dialects.ORACLE;
        };
    }
}
