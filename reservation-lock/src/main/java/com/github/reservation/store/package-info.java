// SPDX-License-Identifier: Apache-2.0
/**
 * The border between the core and the backends: {@link com.github.reservation.store.LeaseStore} and what crosses
 * it. A backend carries out one operation and returns a value. It knows nothing of the threads that lock, of reentrancy and of
 * retries, and waits for no key. It may have threads of its own, to listen to its store or to end a call in time.
 */
@NullMarked
package com.github.reservation.store;

import org.jspecify.annotations.NullMarked;
