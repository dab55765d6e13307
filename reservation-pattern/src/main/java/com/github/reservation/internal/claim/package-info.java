// SPDX-License-Identifier: Apache-2.0
/**
 * Claims, without the store: their rules, ids, results and events.
 *
 * <p>{@code StoreClaims} is the entry point: it is {@link com.github.reservation.claim.Claims} on any
 * {@link com.github.reservation.claim.store.ClaimStore}.
 */
@NullMarked
package com.github.reservation.internal.claim;

import org.jspecify.annotations.NullMarked;
