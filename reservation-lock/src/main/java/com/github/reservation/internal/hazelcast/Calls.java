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
 * The calls of a client that are under way. A client that has lost its cluster repeats them until it is back, for as long as
 * that takes: a {@code tryLock} has no limit there. So they are broken off, and others are not begun.
 */
final class Calls {

    /** What is asked of Hazelcast. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws StoreException, InterruptedException;
    }

    private static final int PLACES_BITS = 8;
    private static final int PLACES = 1 << PLACES_BITS;

    /** Spreads the numbers of threads that were started one after another, so that they are not neighbours. */
    private static final int SPREAD = 0x9E3779B9;

    /** Most calls find the place free that is their thread's; to go there costs far less than a map. */
    private final AtomicReferenceArray<@Nullable Call> places = new AtomicReferenceArray<>(PLACES);

    private final Set<Call> withoutPlace = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cutOffs = new AtomicInteger();
    private volatile boolean offline;

    /** Lets every call fail, those that are under way too. */
    void goOffline() {
        offline = true;
        countCutOff();
        for (int place = 0; place < PLACES; place++) {
            Call call = places.get(place);
            if (call != null) {
                call.breakOff();
            }
        }
        withoutPlace.forEach(Call::breakOff);
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

    /** Returns how often the cluster was lost so far: whatever it granted before that is not to be trusted. */
    int cutOffs() {
        return cutOffs.get();
    }

    <T> T run(Question<T> question) throws StoreException, InterruptedException {
        Call call = new Call();
        add(call);
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
            remove(call);
            call.end();
        }
    }

    private void add(Call call) {
        if (!places.compareAndSet(call.place, null, call)) {
            withoutPlace.add(call);
        }
    }

    private void remove(Call call) {
        if (!places.compareAndSet(call.place, call, null)) {
            withoutPlace.remove(call);
        }
    }

    /** A call of the current thread, which is broken off by an interrupt: there is no other way. */
    private static final class Call {

        private static final int RUNNING = 0;
        private static final int BREAKING = 1;
        private static final int BROKEN = 2;
        private static final int ENDED = 3;

        private final Thread thread = Thread.currentThread();
        private final int place = (thread.hashCode() * SPREAD) >>> (Integer.SIZE - PLACES_BITS);
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
