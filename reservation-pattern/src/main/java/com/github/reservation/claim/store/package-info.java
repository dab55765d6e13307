// SPDX-License-Identifier: Apache-2.0
/**
 * What a backend of claims must do, for those who write their own: {@link com.github.reservation.claim.store.ClaimStore} and what
 * crosses this border. Rules for arguments, tokens, retries, lost replies, listeners and meters are the library's part:
 * {@link com.github.reservation.claim.Claims#on} makes claims with all of that on your store.
 *
 * {@snippet file="com/github/reservation/demo/ClaimExamplesTest.java" region="claims-on-a-store"}
 *
 * <p>To write your own, read {@code ClaimStore}, then extend {@code com.github.reservation.test.ClaimStoreContract} of the artifact
 * {@code reservation-lock-test}: its tests have the names of the rules, and show what is missing.
 */
@NullMarked
package com.github.reservation.claim.store;

import org.jspecify.annotations.NullMarked;
