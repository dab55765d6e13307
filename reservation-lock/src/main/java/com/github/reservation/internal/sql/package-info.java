// SPDX-License-Identifier: Apache-2.0
/**
 * Statements on a table of a relational database: connections, dialects, SQL text, time limits and failures. It knows no
 * lock.
 *
 * <p>{@code TableSessions} is the entry point: it opens a session for each operation. Then read {@code Dialect}, which has what
 * differs between databases, and {@code SqlTemplates}, which makes statements of it.
 */
@NullMarked
package com.github.reservation.internal.sql;

import org.jspecify.annotations.NullMarked;
