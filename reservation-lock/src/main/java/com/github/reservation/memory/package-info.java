// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for one JVM: for locks between threads, and for tests.
 *
 * <p>{@link com.github.reservation.memory.InMemoryStore} is the entry point. Several managers on one store act as several nodes of
 * a cluster, and a test can make the store fail or lose a lease. Then read {@link com.github.reservation.memory.ManualTicker},
 * with which a test moves time by hand.
 */
@NullMarked
package com.github.reservation.memory;

import org.jspecify.annotations.NullMarked;
