// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Nodes that want the same key. */
record Contention(List<Node> nodes, String name) {

    /** What nodes reached that lock and unlock in a loop; the wait is in milliseconds. */
    record Loop(double locksPerSecond, double changesPerSecond, double longestWait) {}

    /** Lets two nodes lock the key again and again, each with one thread that works for a millisecond under the lock. */
    Loop loop(Duration duration) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger last = new AtomicInteger(-1);
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger locks = new AtomicInteger();
        AtomicLong longest = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> running = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 2; i++) {
                int node = i;
                running.add(threads.submit(() -> {
                    Key key = nodes.get(node).key(name);
                    while (!over.get()) {
                        long asked = System.nanoTime();
                        key.lock();
                        longest.accumulateAndGet(System.nanoTime() - asked, Math::max);
                        if (inside.incrementAndGet() != 1) {
                            throw new IllegalStateException("Two nodes hold the key");
                        }
                        changes.addAndGet(last.getAndSet(node) == node ? 0 : 1);
                        locks.incrementAndGet();
                        LockSupport.parkNanos(1_000_000);
                        inside.decrementAndGet();
                        key.unlock();
                    }
                    return null;
                }));
            }
            Thread.sleep(duration);
            over.set(true);
            double seconds = (System.nanoTime() - start) / 1e9;
            join(running);
            return new Loop(locks.get() / seconds, changes.get() / seconds, longest.get() / 1e6);
        }
    }

    /** Returns the median of the milliseconds from an unlock until another node that waited has the key. */
    double handOver(int times) throws Exception {
        Key here = nodes.get(0).key(name);
        Key there = nodes.get(1).key(name);
        double[] millis = new double[times];
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < times; i++) {
                here.lock();
                Future<Long> waiter = threads.submit(() -> {
                    there.lock();
                    long got = System.nanoTime();
                    there.unlock();
                    return got;
                });
                Thread.sleep(30);
                long start = System.nanoTime();
                here.unlock();
                millis[i] = (waiter.get() - start) / 1e6;
            }
        }
        Arrays.sort(millis);
        return millis[times / 2];
    }

    /** Returns the milliseconds until so many threads of each of the first nodes have had the key once. */
    double crowd(ExecutorService executor, int count, int threadsOfANode) throws Exception {
        CountDownLatch ready = new CountDownLatch(count * threadsOfANode);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        try (executor) {
            for (Node node : nodes.subList(0, count)) {
                for (int i = 0; i < threadsOfANode; i++) {
                    running.add(executor.submit(() -> {
                        Key key = node.key(name);
                        ready.countDown();
                        go.await();
                        key.lock();
                        key.unlock();
                        return null;
                    }));
                }
            }
            ready.await();
            long start = System.nanoTime();
            go.countDown();
            join(running);
            return (System.nanoTime() - start) / 1e6;
        }
    }

    private static void join(List<Future<?>> running) throws InterruptedException, ExecutionException {
        for (Future<?> thread : running) {
            thread.get();
        }
    }
}
