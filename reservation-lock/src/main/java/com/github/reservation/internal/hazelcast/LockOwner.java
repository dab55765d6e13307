// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.hazelcast.internal.util.ThreadUtil;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The owner of a lock: one acquisition, instead of a thread.
 *
 * <p>Hazelcast identifies the owner of a lock by the client or member and a number. The number is the id of the calling thread,
 * unless another one was set. This class sets one that belongs to the acquisition. So any thread of the process can renew and
 * release the lock, no thread re-enters an old lock of its own by mistake, and a late unlock does not match. The number is never
 * used again: whatever becomes of an acquisition that was given up, it does not touch the next one of the same lease.
 *
 * <p>{@link ThreadUtil} is not in Hazelcast's public API; it is the only such class in use. It is the same in 5.3 to 5.7.
 */
final class LockOwner {

    /** Above the ids of all threads. */
    private static final long LOWEST_ID = 1L << 62;

    /** Starts at random: an application server may load this class more than once for the same instance. */
    private static final AtomicLong NUMBERS =
            new AtomicLong(ThreadLocalRandom.current().nextLong(LOWEST_ID));

    private final String key;
    private final long id;

    private LockOwner(String key, long id) {
        this.key = key;
        this.id = id;
    }

    /** Returns a new owner for the lock of the key. */
    static LockOwner of(String key) {
        return new LockOwner(key, LOWEST_ID | (NUMBERS.getAndIncrement() & (LOWEST_ID - 1)));
    }

    /** Returns the key whose lock it can own. */
    String key() {
        return key;
    }

    /** Runs the action in the name of this owner; afterwards the thread has its own identity again. */
    <T> T run(InFlightCalls.Action<T> action) throws StoreException, InterruptedException {
        long before = ThreadUtil.getThreadId();
        ThreadUtil.setThreadId(id);
        try {
            return action.run();
        } finally {
            ThreadUtil.setThreadId(before);
        }
    }
}
