// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.Texts;
import org.jspecify.annotations.Nullable;

/**
 * A count that is under way.
 *
 * @param by who counts
 * @param remainingSeconds when its lock ends at the latest
 * @param fence the fencing token of its lock; null if the backend has no tokens
 */
public record Running(String by, long sinceSeconds, long remainingSeconds, @Nullable Long fence) {

    /** Returns minutes and seconds. */
    public String remaining() {
        return Texts.minutes(remainingSeconds);
    }
}
