// SPDX-License-Identifier: Apache-2.0
/**
 * The border between claims and the backends: {@link com.github.reservation.claim.store.ClaimStore} and what crosses it. It
 * follows the rules of {@link com.github.reservation.store.LeaseStore}.
 */
@NullMarked
package com.github.reservation.claim.store;

import org.jspecify.annotations.NullMarked;
