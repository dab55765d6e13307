// SPDX-License-Identifier: Apache-2.0
/**
 * Expires what was held too long: a job changes the status of overdue rows and runs your work for them in the same transaction.
 *
 * <p>{@link com.github.reservation.expiration.ExpirationJob} is the entry point; then read
 * {@link com.github.reservation.expiration.TableExpirationSource}, which finds the rows of a table, and
 * {@link com.github.reservation.expiration.ApplicationEvents}, which reports what has expired.
 */
@NullMarked
package com.github.reservation.expiration;

import org.jspecify.annotations.NullMarked;
