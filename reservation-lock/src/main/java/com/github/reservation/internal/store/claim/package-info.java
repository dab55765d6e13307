// SPDX-License-Identifier: Apache-2.0
/**
 * The border between claims and the backends: {@link com.github.reservation.internal.store.claim.ClaimStore} and what crosses it. It
 * follows the rules of {@link com.github.reservation.internal.store.LeaseStore}.
 */
@NullMarked
package com.github.reservation.internal.store.claim;

import org.jspecify.annotations.NullMarked;
