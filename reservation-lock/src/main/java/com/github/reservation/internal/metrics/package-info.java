// SPDX-License-Identifier: Apache-2.0
/** What the core measures: {@link com.github.reservation.internal.metrics.Meters}, and its form in a Micrometer registry. */
@NullMarked
package com.github.reservation.internal.metrics;

import org.jspecify.annotations.NullMarked;
