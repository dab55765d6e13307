// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a count ended. */
sealed interface CountResult {

    /** The count is written. */
    record Counted(int units, @Nullable Long fence) implements CountResult {}

    /** Somebody else counts; nothing was done. */
    record Busy(@Nullable Running running) implements CountResult {}

    /**
     * The lock was lost before the count was written.
     *
     * @param refused whether the write was refused because another count has started since
     * @param steps what happened, one sentence for each step
     */
    record Lost(boolean refused, List<String> steps) implements CountResult {}
}
