// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens for partitions that the cluster has lost with all their copies, and so with their locks. To start and to stop takes
 * round trips to all members, so both are done in the background.
 */
final class PartitionWatch {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final HazelcastInstance instance;
    private final String mapName;
    private final IntConsumer whenLost;
    private final AtomicReference<@Nullable UUID> registration = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Runs {@code whenLost} with the id of each partition that is lost. */
    PartitionWatch(HazelcastInstance instance, String mapName, IntConsumer whenLost) {
        this.instance = instance;
        this.mapName = mapName;
        this.whenLost = whenLost;
    }

    /**
     * Starts to listen, once. Not before the first answer of the cluster: Hazelcast lets the second of two threads that fetch a map
     * wait for the first, and an interrupt does not end that wait, not even when the connection is lost meanwhile.
     */
    void start() {
        if (!started.get() && started.compareAndSet(false, true)) {
            inBackground(this::listen);
        }
    }

    void close() {
        closed.countDown();
        if (registration.get() != null) {
            inBackground(this::stop);
        }
    }

    private void inBackground(Runnable task) {
        Threads.startVirtual("reservation-partitions-" + mapName, task);
    }

    /** Tries until it listens: the instance may be cut off from the cluster just now. */
    private void listen() {
        try {
            boolean over = false;
            while (!over && !tryToListen()) {
                over = closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false if it is worth another try. */
    private boolean tryToListen() {
        try {
            registration.set(instance.getMap(mapName)
                    .addPartitionLostListener(event -> whenLost.accept(event.getPartitionId())));
            if (closed.getCount() == 0) {
                stop();
            }
            return true;
        } catch (SecurityException e) {
            Log.warn("Holders in map " + mapName
                    + " are not notified if the cluster loses their locks together with all "
                    + "copies: this needs the permission to listen", e);
            return true;
        } catch (RuntimeException e) {
            Log.debug("Could not listen for lost partitions of map " + mapName, e);
            return Failures.isShutDown(e);
        }
    }

    private void stop() {
        UUID id = registration.getAndSet(null);
        try {
            if (id != null) {
                instance.getMap(mapName).removePartitionLostListener(id);
            }
        } catch (RuntimeException e) {
            Log.debug("Could not stop listening for lost partitions of map " + mapName, e);
        }
    }
}
