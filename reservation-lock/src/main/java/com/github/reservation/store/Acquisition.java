// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The answer to an {@link AcquireRequest}. */
public sealed interface Acquisition {

    /**
     * The caller holds the key.
     *
     * @param fence greater than that of any earlier grant of this key; empty if the store has none
     */
    record Granted(OptionalLong fence) implements Acquisition {}

    /**
     * Another holder has the key, or it is reserved for a node that has waited longer.
     *
     * @param remaining when it is worth asking again at the latest
     * @param marked whether the store has noted that the asker's node waits, see {@link QueueingStore#withdraw}
     * @param ahead how many nodes are in line before the asker's, as far as the store knows
     * @param grantedAgo how long ago the key was granted to its holder; zero if it has none and is kept free for
     *     another node; empty if the store does not know
     */
    record Refused(Duration remaining, boolean marked, int ahead, Optional<Duration> grantedAgo)
            implements Acquisition {

        /** Refuses a key of which the store knows no more. */
        public Refused(Duration remaining, boolean marked) {
            this(remaining, marked, 0, Optional.empty());
        }
    }
}
