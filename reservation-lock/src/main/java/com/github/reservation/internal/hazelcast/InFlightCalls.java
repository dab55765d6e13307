// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The calls to Hazelcast that have not returned yet. A client that has lost its cluster repeats a call until it is connected
 * again, and a {@code tryLock} without any limit. So a disconnect breaks these calls off, and new ones fail at once.
 */
final class InFlightCalls {

    /** A call to Hazelcast, or several. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws StoreException, InterruptedException;
    }

    private static final int SLOT_BITS = 8;
    private static final int SLOTS = 1 << SLOT_BITS;

    /** Spreads the hash codes of threads that were started one after another. */
    private static final int SPREAD = 0x9E3779B9;

    /** Most calls find the slot of their thread free, which costs far less than a map. The others go to the overflow. */
    private final AtomicReferenceArray<@Nullable Call> slots = new AtomicReferenceArray<>(SLOTS);

    private final Set<Call> overflow = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cutOffs = new AtomicInteger();
    private volatile boolean offline;

    /** Breaks off all calls, and makes new ones fail. */
    void goOffline() {
        offline = true;
        countCutOff();
        for (int slot = 0; slot < SLOTS; slot++) {
            Call call = slots.get(slot);
            if (call != null) {
                call.breakOff();
            }
        }
        overflow.forEach(Call::breakOff);
    }

    void goOnline() {
        offline = false;
    }

    boolean isOffline() {
        return offline;
    }

    void countCutOff() {
        cutOffs.incrementAndGet();
    }

    /** Returns how often the cluster or one of its partitions was lost so far: a grant from before a loss must not be trusted after it. */
    int cutOffs() {
        return cutOffs.get();
    }

    <T> T run(Action<T> action) throws StoreException, InterruptedException {
        Call call = new Call();
        add(call);
        try {
            if (offline) {
                throw new StoreException(Kind.UNAVAILABLE, "There is no connection to the Hazelcast cluster");
            }
            return action.run();
        } catch (InterruptedException e) {
            if (call.isBroken()) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "The connection to the Hazelcast cluster was lost", e);
            }
            throw e;
        } finally {
            remove(call);
            call.end();
        }
    }

    private void add(Call call) {
        if (!slots.compareAndSet(call.slot, null, call)) {
            overflow.add(call);
        }
    }

    private void remove(Call call) {
        if (!slots.compareAndSet(call.slot, call, null)) {
            overflow.remove(call);
        }
    }

    /** A call of the current thread. Hazelcast offers no way to break it off but an interrupt. */
    private static final class Call {

        private static final int RUNNING = 0;
        private static final int BREAKING = 1;
        private static final int BROKEN = 2;
        private static final int ENDED = 3;

        private final Thread thread = Thread.currentThread();
        private final int slot = (thread.hashCode() * SPREAD) >>> (Integer.SIZE - SLOT_BITS);
        private final AtomicInteger state = new AtomicInteger(RUNNING);

        void breakOff() {
            if (state.compareAndSet(RUNNING, BREAKING)) {
                thread.interrupt();
                state.set(BROKEN);
            }
        }

        boolean isBroken() {
            return state.get() != RUNNING;
        }

        /** Ends the call. The interrupt of {@link #breakOff} must not outlive it. */
        void end() {
            if (!state.compareAndSet(RUNNING, ENDED)) {
                while (state.get() != BROKEN) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
        }
    }
}
