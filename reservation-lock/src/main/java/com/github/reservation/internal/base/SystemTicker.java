// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import java.util.concurrent.locks.LockSupport;

/** The ticker of the JVM. */
public enum SystemTicker implements Ticker {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long epochMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public void parkUntil(Object blocker, long deadline) {
        LockSupport.parkNanos(blocker, deadline - System.nanoTime());
    }
}
