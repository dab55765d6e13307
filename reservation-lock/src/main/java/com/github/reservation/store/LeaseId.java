// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

/**
 * One acquisition of a key.
 *
 * @param holder unique for each acquisition, so that a stale one can never touch the next
 */
public record LeaseId(String key, String holder) {}
