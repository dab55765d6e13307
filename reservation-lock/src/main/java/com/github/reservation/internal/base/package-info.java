// SPDX-License-Identifier: Apache-2.0
/**
 * Time: {@link com.github.reservation.internal.base.Reading} reads both clocks, {@link com.github.reservation.internal.base.Trust}
 * says how long a holder may rely on its lease.
 *
 * <p>Threads: {@link com.github.reservation.internal.base.Clockwork} waits for deadlines, {@link
 * com.github.reservation.internal.base.Threads} has the workers, {@link com.github.reservation.internal.base.Listeners} calls code of the
 * user under the rule of {@link com.github.reservation.internal.base.Guard}.
 */
@NullMarked
package com.github.reservation.internal.base;

import org.jspecify.annotations.NullMarked;
