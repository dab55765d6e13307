// SPDX-License-Identifier: Apache-2.0
/**
 * Events that are written in a transaction and delivered after its commit, at least once.
 *
 * <p>{@link com.github.reservation.outbox.Outbox} is the entry point. Then read
 * {@link com.github.reservation.outbox.OutboxListener} for what a listener must expect, and
 * {@link com.github.reservation.outbox.OutboxCodec} for how events become text.
 */
@NullMarked
package com.github.reservation.outbox;

import org.jspecify.annotations.NullMarked;
