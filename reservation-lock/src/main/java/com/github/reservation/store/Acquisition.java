// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The answer to an {@link AcquireRequest}. */
public sealed interface Acquisition {

    /**
     * The lease of the request runs now.
     *
     * @param fence the fencing token: greater than that of every earlier grant of this key. It grows across releases, expiries, forced
     *     releases and restarts of the store; it may skip numbers. A counter in the record of the key works, and so does one counter for
     *     all keys. If the record can be deleted, start the next one at a number that is surely greater, for example the microseconds of
     *     the store's clock. Empty if the store has no fences
     */
    record Granted(OptionalLong fence) implements Acquisition {

        public Granted {
            Objects.requireNonNull(fence, "fence must not be null");
        }
    }

    /**
     * Another holder has the key, or the key is reserved for a node that has waited longer. Nothing has changed, except that the node
     * may be in the queue now.
     *
     * @param remaining for how long the key cannot be acquired unless its holder releases it: the node asks again after this time at the
     *     latest. If the store does not know, the lease time of the request is a good answer; not zero, which would make the node ask again
     *     at once. A node that does not wait ignores it
     * @param queued whether the node has a place in the queue now. If so, {@link QueueingStore#withdraw} is called when it stops waiting.
     *     False if the store has no queue, or the queue is full
     * @param ahead how many nodes are before this one, at least 0; 0 if the store does not know
     * @param grantedAgo how long ago the key was granted to its holder. The node polls more rarely, the longer that is. Zero if no one holds
     *     the key and it is reserved for another node. Empty if the store does not know: then the pauses between polls double
     */
    record Refused(Duration remaining, boolean queued, int ahead, Optional<Duration> grantedAgo)
            implements Acquisition {

        public Refused {
            Objects.requireNonNull(remaining, "remaining must not be null");
            Objects.requireNonNull(grantedAgo, "grantedAgo must not be null");
            if (ahead < 0) {
                throw new IllegalArgumentException("ahead must not be negative, but is " + ahead);
            }
        }

        /** Creates the refusal of a store that knows no more than this. */
        public Refused(Duration remaining, boolean queued) {
            this(remaining, queued, 0, Optional.empty());
        }
    }
}
