// SPDX-License-Identifier: Apache-2.0
/**
 * An outbox in tables of a relational database.
 *
 * <p>{@code JdbcOutbox} is the entry point: it is the store. {@code OutboxStatements} has the SQL, and says what it may not depend on.
 */
@NullMarked
package com.github.reservation.internal.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
