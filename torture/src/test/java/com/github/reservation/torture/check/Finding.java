// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

/**
 * A promise that was broken.
 *
 * @param rule the name of the promise, for example {@code exclusive}
 * @param details which key, which calls
 */
public record Finding(String rule, String details) {}
