// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Writes a value into the map that says who holds a key, for leases that last longer than a moment, and removes it again.
 * Descriptions are for people: if one cannot be written or removed, the lock works all the same.
 */
final class HolderDescriptions {

    /** Writing hangs while another owner has the lock, so only so many writers may run. */
    private static final int MOST_WRITERS = 64;

    private static final Duration SOON = Duration.ofMillis(10);

    private final LockMap map;
    private final String threadName;
    private final Semaphore writers = new Semaphore(MOST_WRITERS);

    HolderDescriptions(LockMap map, String threadName) {
        this.map = map;
        this.threadName = threadName;
    }

    /** Starts to describe the lock in the background; puts it off if too many are being described. */
    void start(OwnedLock lock) {
        if (!writers.tryAcquire()) {
            lock.putOff(SOON);
        } else if (lock.beginDescription()) {
            Threads.startVirtual(threadName, () -> write(lock));
        } else {
            writers.release();
        }
    }

    private void write(OwnedLock lock) {
        try {
            try {
                Duration left = lock.remaining();
                if (left.isPositive()) {
                    map.describe(lock.owner, lock.value().text(), LockTimes.wholeSeconds(left));
                }
            } finally {
                writers.release();
                if (lock.endDescription()) {
                    map.erase(lock.owner);
                }
            }
        } catch (StoreException | InterruptedException e) {
            Log.debug("Could not describe who holds " + lock.lease.key(), e);
        }
    }

    /** Allows no new description of the lock, and removes the one that is there. */
    void erase(OwnedLock lock) throws InterruptedException {
        try {
            if (lock.awaitLastDescription()) {
                map.erase(lock.owner);
            }
        } catch (StoreException e) {
            logLeftover(lock.lease.key(), e);
        }
    }

    /** Removes the description of a key that is not locked. */
    void eraseIfFree(String key) {
        try {
            map.eraseIfFree(key);
        } catch (StoreException e) {
            logLeftover(key, e);
        }
    }

    private static void logLeftover(String key, Exception e) {
        Log.debug("Could not remove the description of who held " + key + "; it goes with its lease", e);
    }
}
