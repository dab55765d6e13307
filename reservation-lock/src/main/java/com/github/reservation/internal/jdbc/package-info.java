// SPDX-License-Identifier: Apache-2.0
/**
 * Locks in a table of a relational database: a row for each key, with its lease and the queue of the nodes that wait.
 *
 * <p>{@code JdbcLeaseStore} is the entry point: it is the store, and executes one statement for each operation. Then read
 * {@code RowAcquisition}, which acquires a key, and {@code AcquireStatements} and {@code ReleaseStatements} for the SQL.
 * A table of the first four columns alone has {@code FourColumnStatements}.
 */
@NullMarked
package com.github.reservation.internal.jdbc;

import org.jspecify.annotations.NullMarked;
