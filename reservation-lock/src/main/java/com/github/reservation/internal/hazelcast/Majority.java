// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Log;
import com.github.reservation.store.StoreException;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.PartitionService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Finds out whether this process hears more than half of the members with data, by reading something from each of them. */
final class Majority {

    /** Reads the value of a key, which need not exist. */
    @FunctionalInterface
    interface Reader {
        void read(String key, long deadline) throws StoreException;
    }

    private static final long PATIENCE = Duration.ofMillis(500).toNanos();
    private static final long TRUE_FOR = Duration.ofSeconds(1).toNanos();
    private static final int MOST_KEYS = 100_000;

    private final HazelcastInstance instance;
    private final Reader reader;
    private final Lock guard = new ReentrantLock();
    private long askedAt = System.nanoTime() - TRUE_FOR;
    private boolean heard;

    Majority(HazelcastInstance instance, Reader reader) {
        this.instance = instance;
        this.reader = reader;
    }

    /** Asks, unless another thread has just done so. Without an answer until the deadline it is no. */
    boolean isHeard(long deadline) {
        try {
            return guard.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS) && ask(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Holds the guard, and gives it back. Does not remember a no that only says that this caller had no time left. */
    private boolean ask(long deadline) {
        try {
            if (System.nanoTime() - askedAt < TRUE_FOR) {
                return heard;
            }
            List<Member> members = instance.getCluster().getMembers().stream()
                    .filter(member -> !member.isLiteMember())
                    .toList();
            boolean most = members.stream().filter(member -> answers(member, deadline)).count() * 2 > members.size();
            boolean cutShort = deadline - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted();
            if (most || !cutShort) {
                heard = most;
                askedAt = System.nanoTime();
            }
            return most;
        } finally {
            guard.unlock();
        }
    }

    private boolean answers(Member member, long deadline) {
        PartitionService partitions = instance.getPartitionService();
        long soon = System.nanoTime() + PATIENCE;
        try {
            String key = IntStream.range(0, MOST_KEYS)
                    .mapToObj(i -> "\0probe-" + i)
                    .filter(probe -> member.equals(partitions.getPartition(probe).getOwner()))
                    .findFirst()
                    .orElse(null);
            if (key == null) {
                return false; // It has no partition yet.
            }
            reader.read(key, soon - deadline < 0 ? soon : deadline);
            return true;
        } catch (StoreException e) {
            Log.debug("A member of the Hazelcast cluster did not answer: " + member, e);
            return false;
        }
    }
}
