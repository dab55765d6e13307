// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The last count of a store that was written. */
public record LastCount(String by, int units, @Nullable Long fence, Instant at) {}
