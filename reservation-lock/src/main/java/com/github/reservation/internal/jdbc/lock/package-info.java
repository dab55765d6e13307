// SPDX-License-Identifier: Apache-2.0
/**
 * Leases in a table of a relational database, for the backends that have one.
 *
 * <p>{@code JdbcLeases} is the store; it does one statement for each operation. What differs between databases is a
 * {@code Dialect}: fragments of SQL, from which {@code LockStatements} are put together.
 */
@NullMarked
package com.github.reservation.internal.jdbc.lock;

import org.jspecify.annotations.NullMarked;
