// SPDX-License-Identifier: Apache-2.0
/**
 * The rows of a user's table that expire.
 *
 * <p>{@code TableRows} is the entry point: it executes one statement for each operation. Then read
 * {@code ExpirationStatements} for the SQL.
 */
@NullMarked
package com.github.reservation.internal.expiration.jdbc;

import org.jspecify.annotations.NullMarked;
