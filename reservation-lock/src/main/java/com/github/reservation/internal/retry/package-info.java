// SPDX-License-Identifier: Apache-2.0
/**
 * How the core calls a store: {@link com.github.reservation.internal.retry.RetryingStore} is the entry point. It retries what
 * may be retried, resolves lost replies, and leaves releases that failed to {@code ReleaseRetrier}.
 */
@NullMarked
package com.github.reservation.internal.retry;

import org.jspecify.annotations.NullMarked;
