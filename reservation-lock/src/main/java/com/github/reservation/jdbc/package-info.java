// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for relational databases: PostgreSQL, MariaDB, MySQL, Oracle and H2, on the {@code DataSource} you have.
 *
 * <p>Start with {@link com.github.reservation.ReservationManager#jdbc}. The table is yours to create:
 * {@link com.github.reservation.jdbc.Ddl} prints how.
 */
@NullMarked
package com.github.reservation.jdbc;

import org.jspecify.annotations.NullMarked;
