// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** Nodes that want the same key. */
record Contention(List<ContendingNode> nodes, String key) {

    /** What nodes reached that lock and unlock in a loop; the wait is in milliseconds. */
    record Loop(double locksPerSecond, double changesPerSecond, double longestWait) {}

    /** Lets nodes lock the key again and again, each with one thread that works for a millisecond under the lock. */
    Loop loop(int count, Duration duration) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger last = new AtomicInteger(-1);
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger locks = new AtomicInteger();
        AtomicLong longest = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int node = i;
            Lock lock = nodes.get(i).lock(key);
            threads.add(Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    long asked = System.nanoTime();
                    lock.lock();
                    longest.accumulateAndGet(System.nanoTime() - asked, Math::max);
                    if (inside.incrementAndGet() != 1) {
                        throw new IllegalStateException("Two nodes hold the key");
                    }
                    changes.addAndGet(last.getAndSet(node) == node ? 0 : 1);
                    locks.incrementAndGet();
                    LockSupport.parkNanos(1_000_000);
                    inside.decrementAndGet();
                    lock.unlock();
                }
            }));
        }
        Thread.sleep(duration);
        over.set(true);
        double seconds = (System.nanoTime() - start) / 1e9;
        for (Thread thread : threads) {
            thread.join();
        }
        return new Loop(locks.get() / seconds, changes.get() / seconds, longest.get() / 1e6);
    }

    /** Returns the median of the milliseconds from an unlock until another node that waited has the key. */
    double handOver(int times) throws Exception {
        Lock here = nodes.get(0).lock(key);
        Lock there = nodes.get(1).lock(key);
        double[] millis = new double[times];
        for (int i = 0; i < times; i++) {
            here.lock();
            AtomicLong got = new AtomicLong();
            Thread waiter = Thread.ofPlatform().start(() -> {
                there.lock();
                got.set(System.nanoTime());
                there.unlock();
            });
            Thread.sleep(30);
            long start = System.nanoTime();
            here.unlock();
            waiter.join();
            millis[i] = (got.get() - start) / 1e6;
        }
        Arrays.sort(millis);
        return millis[times / 2];
    }

    /** Returns the milliseconds until so many threads of each node have had the key once. */
    double crowd(int threadsOfANode) throws Exception {
        CountDownLatch ready = new CountDownLatch(nodes.size() * threadsOfANode);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (ContendingNode node : nodes) {
            for (int i = 0; i < threadsOfANode; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    Lock lock = node.lock(key);
                    ready.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    lock.lock();
                    lock.unlock();
                }));
            }
        }
        ready.await();
        long start = System.nanoTime();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return (System.nanoTime() - start) / 1e6;
    }
}
