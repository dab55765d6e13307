// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for one JVM: for locks between threads, and for tests.
 *
 * <p>{@link com.github.reservation.memory.InMemoryStore} is the entry point: several managers on one store behave like several
 * nodes of a cluster, and the store fails or loses a lease when a test says so. Then read
 * {@link com.github.reservation.memory.ManualTicker}, with which a test moves time by hand.
 */
@NullMarked
package com.github.reservation.memory;

import org.jspecify.annotations.NullMarked;
