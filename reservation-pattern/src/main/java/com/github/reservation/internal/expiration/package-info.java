// SPDX-License-Identifier: Apache-2.0
/**
 * How rows expire: the job, and the batches of one table.
 *
 * <p>{@code SourcesJob} is the entry point: it runs the sources. Then read {@code TableExpiration}, which reads the overdue rows of
 * a table page by page, {@code BatchRunner}, which finds the rows that fail, and {@code BatchTransaction}, which is one attempt.
 */
@NullMarked
package com.github.reservation.internal.expiration;

import org.jspecify.annotations.NullMarked;
