// SPDX-License-Identifier: Apache-2.0
/**
 * Claims in a table of a relational database: a row for each value.
 *
 * <p>{@code JdbcClaims} is the entry point: it is the store. Then read {@code RowReservation}, which decides who gets a value, and
 * {@code ClaimStatements} for the SQL.
 */
@NullMarked
package com.github.reservation.internal.claim.jdbc;

import org.jspecify.annotations.NullMarked;
