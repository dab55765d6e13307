// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for Oracle, with a strategy that can be replaced.
 *
 * <p>Start with {@link com.github.reservation.ReservationManager#oracle}. The table is yours to create:
 * {@link com.github.reservation.jdbc.Ddl} prints how. Then read {@link com.github.reservation.oracle.LockingStrategy}, if you
 * want to keep locks in another way.
 */
@NullMarked
package com.github.reservation.oracle;

import org.jspecify.annotations.NullMarked;
