// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.harness.RowLock;
import java.util.concurrent.locks.Lock;

/** A lock on one key, ours or a peer's, for one thread. */
interface Key {

    void lock() throws Exception;

    void unlock() throws Exception;

    static Key of(Lock lock) {
        return new Key() {
            @Override
            public void lock() {
                lock.lock();
            }

            @Override
            public void unlock() {
                lock.unlock();
            }
        };
    }

    static Key of(RowLock row) {
        return new Key() {
            @Override
            public void lock() throws Exception {
                row.lock();
            }

            @Override
            public void unlock() throws Exception {
                row.unlock();
            }
        };
    }
}
