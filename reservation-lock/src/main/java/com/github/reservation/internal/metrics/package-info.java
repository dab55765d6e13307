// SPDX-License-Identifier: Apache-2.0
/**
 * What is measured: {@link com.github.reservation.internal.metrics.Instruments} counts, times and shows by name and tags, in a Micrometer
 * registry or nowhere; {@link com.github.reservation.internal.metrics.Meters} are the meters of locks.
 */
@NullMarked
package com.github.reservation.internal.metrics;

import org.jspecify.annotations.NullMarked;
