// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Threads;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the groups of one listener: on threads of the library, as many as allowed, or on the thread that calls {@link #work()}. */
final class Workers {

    private final Queue<KeyGroup> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Subscriber<?> subscriber;
    private final int most;
    private final Runnable signal;

    /**
     * Makes workers.
     *
     * @param most how many threads of the library run at once; 0 for none
     * @param signal called when there is a group to work on, a page or a slow group is over, or a worker has nothing more to do
     */
    Workers(Subscriber<?> subscriber, int most, Runnable signal) {
        this.subscriber = subscriber;
        this.most = most;
        this.signal = signal;
    }

    void addAll(List<KeyGroup> groups) {
        waiting.addAll(groups);
        if (most == 0) {
            signal.run();
        }
        startIfNeeded();
    }

    private void startIfNeeded() {
        int now = running.get();
        if (now < most && !waiting.isEmpty() && running.compareAndSet(now, now + 1)) {
            boolean started = false;
            try {
                Threads.execute(this::runThread);
                started = true;
            } finally {
                if (!started) {
                    running.decrementAndGet();
                }
            }
        }
    }

    private void runThread() {
        try {
            work();
        } finally {
            running.decrementAndGet();
        }
        startIfNeeded(); // A group may have come after the last look.
        signal.run();
    }

    /** Runs all groups that wait, on the calling thread. */
    void work() {
        threads.add(Thread.currentThread());
        try {
            KeyGroup group = waiting.poll();
            startIfNeeded(); // One worker starts the next: groups that are over at once need few of them.
            for (; group != null; group = waiting.poll()) {
                boolean pumpWaits = group.run(subscriber);
                if (most > 0) {
                    Thread.interrupted(); // The thread of the library goes on with another key.
                }
                if (pumpWaits || waiting.isEmpty()) {
                    signal.run();
                }
                if (Thread.currentThread().isInterrupted()) {
                    return; // The caller stops; the next listener must not pay for that.
                }
            }
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    /** Returns whether a worker could begin a group at once. */
    boolean areHungry() {
        return waiting.isEmpty() && (most == 0 || running.get() < most);
    }

    /** Takes the groups back that no worker has begun. */
    void takeBack() {
        waiting.forEach(KeyGroup::takeBack);
        waiting.clear();
    }

    boolean isOne(Thread thread) {
        return threads.contains(thread);
    }
}
