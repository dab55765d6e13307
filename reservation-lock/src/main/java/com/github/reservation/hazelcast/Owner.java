// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.hazelcast.internal.util.ThreadUtil;

/**
 * Lets an acquisition own a lock, instead of a thread.
 *
 * <p>Hazelcast knows the owner of a lock by the client or member and a number, which is that of the calling thread unless
 * another one was set. We set one that belongs to the acquisition. So a lock can be renewed and released by any thread of
 * the process, nobody enters an old lock of its own by mistake, and an unlock that comes late finds itself a stranger.
 *
 * <p>{@link ThreadUtil} is not in Hazelcast's public API; it is the only such class we use. It is the same in 5.3 to 5.7.
 */
final class Owner {

    /** Above the ids of all threads. */
    private static final long OF_AN_ACQUISITION = 1L << 62;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final String key;
    private final long id;

    private Owner(String key, long id) {
        this.key = key;
        this.id = id;
    }

    /** Returns the owner for the lease, always the same. It depends on the random part of the holder's name. */
    static Owner of(LeaseId lease) {
        String holder = lease.holder();
        long hash = FNV_OFFSET;
        for (int i = 0; i < holder.length(); i++) {
            hash = (hash ^ holder.charAt(i)) * FNV_PRIME;
        }
        return new Owner(lease.key(), ((hash ^ (hash >>> 32)) & Long.MAX_VALUE) | OF_AN_ACQUISITION);
    }

    /** Returns the key whose lock it can own. */
    String key() {
        return key;
    }

    /** Asks in the name of this owner. */
    <T> T asks(Calls.Question<T> question) throws StoreException, InterruptedException {
        ThreadUtil.setThreadId(id);
        try {
            return question.ask();
        } finally {
            ThreadUtil.removeThreadId();
        }
    }
}
