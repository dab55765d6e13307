// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for Oracle, with a replaceable locking strategy.
 *
 * <p>Start with {@link com.github.reservation.ReservationManager#oracle}. Create the table first:
 * {@link com.github.reservation.jdbc.Ddl} prints the statements. To store locks in your own way, implement
 * {@link com.github.reservation.oracle.LockingStrategy}.
 */
@NullMarked
package com.github.reservation.oracle;

import org.jspecify.annotations.NullMarked;
