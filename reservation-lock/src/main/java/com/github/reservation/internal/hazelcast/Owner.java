// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.hazelcast.internal.util.ThreadUtil;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets a request own a lock, instead of a thread.
 *
 * <p>Hazelcast knows the owner of a lock by the client or member and a number, which is that of the calling thread unless
 * another one was set. We set one that belongs to the request. So a lock can be renewed and released by any thread of the
 * process, nobody enters an old lock of its own by mistake, and an unlock that comes late finds itself a stranger. The number
 * is used for one acquisition alone: whatever becomes of one that was given up, it does not touch the next of the same lease.
 *
 * <p>{@link ThreadUtil} is not in Hazelcast's public API; it is the only such class we use. It is the same in 5.3 to 5.7.
 */
final class Owner {

    /** Above the ids of all threads. */
    private static final long OF_A_REQUEST = 1L << 62;

    /** Starts anywhere: an application server may have loaded this class more than once, for the same instance. */
    private static final AtomicLong NUMBERS =
            new AtomicLong(ThreadLocalRandom.current().nextLong(OF_A_REQUEST));

    private final String key;
    private final long id;

    private Owner(String key, long id) {
        this.key = key;
        this.id = id;
    }

    /** Returns an owner that there was not before. */
    static Owner of(String key) {
        return new Owner(key, OF_A_REQUEST | (NUMBERS.getAndIncrement() & (OF_A_REQUEST - 1)));
    }

    /** Returns the key whose lock it can own. */
    String key() {
        return key;
    }

    /** Asks in the name of this owner; afterwards the thread is who it was before. */
    <T> T asks(Calls.Question<T> question) throws StoreException, InterruptedException {
        long before = ThreadUtil.getThreadId();
        ThreadUtil.setThreadId(id);
        try {
            return question.ask();
        } finally {
            ThreadUtil.setThreadId(before);
        }
    }
}
