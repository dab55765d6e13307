// SPDX-License-Identifier: Apache-2.0
/**
 * Claims: a unique value is held before its entity exists. A user who signs up holds {@code alice@example.com} for five minutes;
 * then the sign-up confirms the claim, releases it, or lets it expire.
 *
 * <p>{@link com.github.reservation.claim.Claims} is the entry point. Then read {@link com.github.reservation.claim.ReserveResult}.
 */
@NullMarked
package com.github.reservation.claim;

import org.jspecify.annotations.NullMarked;
