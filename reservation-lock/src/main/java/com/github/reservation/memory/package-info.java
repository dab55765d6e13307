// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for one JVM: for locks between threads, and for tests.
 *
 * <p>{@link com.github.reservation.memory.InMemoryStore} is the store; several managers on one of them behave like several
 * nodes of a cluster. With a {@link com.github.reservation.memory.ManualTicker} a test moves time by hand, and the store
 * fails or loses a lease when the test says so.
 */
@NullMarked
package com.github.reservation.memory;

import org.jspecify.annotations.NullMarked;
