// SPDX-License-Identifier: Apache-2.0
/**
 * The border between the core and the backends: {@link com.github.reservation.internal.store.LeaseStore} and what crosses
 * it. A backend does one round trip and returns a value; it knows no threads, no reentrancy, no waiting, no retry.
 */
@NullMarked
package com.github.reservation.internal.store;

import org.jspecify.annotations.NullMarked;
