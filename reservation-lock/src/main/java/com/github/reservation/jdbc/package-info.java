// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for relational databases: PostgreSQL, MariaDB, MySQL, Oracle and H2, on your own {@code DataSource}.
 *
 * <p>Start with {@link com.github.reservation.ReservationManager#jdbc}. Create the table first:
 * {@link com.github.reservation.jdbc.Ddl} prints the statements.
 */
@NullMarked
package com.github.reservation.jdbc;

import org.jspecify.annotations.NullMarked;
