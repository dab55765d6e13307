// SPDX-License-Identifier: Apache-2.0
/**
 * Delivers the events of an outbox to its listeners.
 *
 * <p>{@code StoreOutbox} is the entry point. Then read {@code Courier} and {@code Visit}, which bring events to one listener.
 */
@NullMarked
package com.github.reservation.internal.outbox;

import org.jspecify.annotations.NullMarked;
