// SPDX-License-Identifier: Apache-2.0
/**
 * Delivers the events of an outbox to its listeners.
 *
 * <p>{@code StoreOutbox} is the entry point. Then read {@code Pump}, which moves the events of one listener.
 */
@NullMarked
package com.github.reservation.internal.outbox;

import org.jspecify.annotations.NullMarked;
