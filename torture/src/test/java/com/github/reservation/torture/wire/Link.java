// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A wire whose connections go through a {@link Proxy}. */
public final class Link implements Wire {

    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger toDrop = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private volatile long delayMillis;
    private volatile long jitterMillis;
    private volatile int bytesPerSecond = UNLIMITED;
    private volatile Set<Way> holes = Set.of();
    private volatile boolean stalled;
    private volatile boolean refusing;

    @Override
    public void delay(Duration time, Duration jitter) {
        delayMillis = time.toMillis();
        jitterMillis = jitter.toMillis();
    }

    @Override
    public void stall() {
        stalled = true;
    }

    @Override
    public void blackhole(Way... ways) {
        holes = Set.of(ways);
    }

    @Override
    public void throttle(int bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public void refuse() {
        refusing = true;
    }

    @Override
    public void reset() {
        connections.forEach(Connection::reset);
    }

    @Override
    public void dropReplies(int count) {
        toDrop.set(count);
    }

    @Override
    public long droppedReplies() {
        return dropped.get();
    }

    @Override
    public void heal() {
        delayMillis = 0;
        jitterMillis = 0;
        bytesPerSecond = UNLIMITED;
        toDrop.set(0);
        refusing = false;
        stalled = false;
        holes = Set.of();
        connections.stream().filter(Connection::hasLostSomething).forEach(Connection::reset);
    }

    /** Returns the ports that the server sees as those of its clients. */
    public List<Integer> portsAtServer() {
        return connections.stream().map(Connection::portAtServer).toList();
    }

    boolean isRefusing() {
        return refusing;
    }

    boolean swallows(Way way) {
        return holes.contains(way);
    }

    /** Waits as long as so many bytes take. */
    void carry(int bytes) throws InterruptedException {
        long time = delayMillis + (jitterMillis == 0 ? 0 : ThreadLocalRandom.current().nextLong(jitterMillis + 1))
                + (bytesPerSecond == UNLIMITED ? 0 : bytes * 1000L / bytesPerSecond);
        if (time > 0) {
            Thread.sleep(time);
        }
        while (stalled) {
            Thread.sleep(5);
        }
    }

    /** Returns whether the reply to this request is to be lost. */
    boolean dropsNextReply() {
        return toDrop.get() > 0 && toDrop.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    void droppedOne() {
        dropped.incrementAndGet();
    }

    void add(Connection connection) {
        connections.add(connection);
    }

    void remove(Connection connection) {
        connections.remove(connection);
    }
}
