// SPDX-License-Identifier: Apache-2.0
/**
 * How a key gets from one holder to the next. {@link com.github.reservation.internal.waiting.WaitLoop} and
 * {@link com.github.reservation.internal.waiting.Releaser} are the entry points; then read {@code Attempt} for lost replies,
 * {@code LocalQueue} for the order of threads, {@code Handoff} for a key that goes from thread to thread.
 */
@NullMarked
package com.github.reservation.internal.waiting;

import org.jspecify.annotations.NullMarked;
