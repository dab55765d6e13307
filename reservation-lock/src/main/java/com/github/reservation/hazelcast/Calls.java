// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of a client that are under way. A client that has lost its cluster repeats them until it is back, for as long as
 * that takes: a {@code tryLock} has no limit there. So they are broken off, and others are not begun.
 */
final class Calls {

    /** What is asked of Hazelcast. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws StoreException, InterruptedException;
    }

    private final Map<Thread, Call> underWay = new ConcurrentHashMap<>();
    private final AtomicInteger cutOffs = new AtomicInteger();
    private volatile boolean offline;

    /** Lets every call fail, those that are under way too. */
    void goOffline() {
        offline = true;
        countCutOff();
        underWay.values().forEach(Call::breakOff);
    }

    void goOnline() {
        offline = false;
    }

    void countCutOff() {
        cutOffs.incrementAndGet();
    }

    /** Returns how often the cluster was lost so far: whatever it granted before that is not to be trusted. */
    int cutOffs() {
        return cutOffs.get();
    }

    <T> T run(Question<T> question) throws StoreException, InterruptedException {
        Call call = new Call();
        underWay.put(call.thread, call);
        try {
            if (offline) {
                throw new StoreException(Kind.UNAVAILABLE, "There is no connection to the Hazelcast cluster");
            }
            return question.ask();
        } catch (InterruptedException e) {
            if (call.isBroken()) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "The connection to the Hazelcast cluster was lost", e);
            }
            throw e;
        } finally {
            underWay.remove(call.thread);
            call.end();
        }
    }

    /** A call of the current thread, which is broken off by an interrupt: there is no other way. */
    private static final class Call {

        private static final int RUNNING = 0;
        private static final int BREAKING = 1;
        private static final int BROKEN = 2;
        private static final int ENDED = 3;

        private final Thread thread = Thread.currentThread();
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

        /** Ends the call; our interrupt must not outlive it. */
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
