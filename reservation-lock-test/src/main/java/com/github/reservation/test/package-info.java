// SPDX-License-Identifier: Apache-2.0
/**
 * Tests for those who write their own backend: extend {@link com.github.reservation.test.StoreContract} for locks, or
 * {@link com.github.reservation.test.ClaimStoreContract} for claims. Both need JUnit Jupiter and AssertJ; the second also needs
 * {@code reservation-pattern}.
 */
@NullMarked
package com.github.reservation.test;

import org.jspecify.annotations.NullMarked;
