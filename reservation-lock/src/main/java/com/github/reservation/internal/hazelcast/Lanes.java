// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Does the same for many leases, beside one another: those whose records one member has never wait for those of another member,
 * which may be silent.
 */
final class Lanes {

    /** Work for one lease. */
    @FunctionalInterface
    interface Work {
        void on(LeaseId lease) throws StoreException;
    }

    /** Beyond this, more threads share the leases of one member. */
    private static final int LEASES_IN_A_LANE = 2;

    private static final int MOST_LANES_OF_A_MEMBER = 16;

    private final HazelcastInstance instance;

    Lanes(HazelcastInstance instance) {
        this.instance = instance;
    }

    /** Does the work for each of the leases, and returns where it failed. Alone, it is done on the calling thread. */
    Map<LeaseId, StoreException> run(Collection<LeaseId> leases, Work work) {
        Map<LeaseId, StoreException> failures = new ConcurrentHashMap<>();
        List<List<LeaseId>> lanes = leases.size() == 1 ? List.of(List.copyOf(leases)) : divide(leases);
        CompletableFuture<?>[] others = lanes.stream()
                .skip(1)
                .map(lane -> CompletableFuture.runAsync(() -> runLane(lane, work, failures), Threads::executeOrRun))
                .toArray(CompletableFuture[]::new);
        if (!lanes.isEmpty()) {
            runLane(lanes.getFirst(), work, failures);
        }
        CompletableFuture.allOf(others).join();
        return failures;
    }

    /** Does the work in the background; a failure is dropped. */
    void start(Collection<LeaseId> leases, Work work) {
        divide(leases).forEach(lane -> Threads.executeOrRun(() -> runLane(lane, work, new HashMap<>())));
    }

    private static void runLane(List<LeaseId> lane, Work work, Map<LeaseId, StoreException> failures) {
        for (LeaseId lease : lane) {
            try {
                work.on(lease);
            } catch (StoreException e) {
                failures.put(lease, e);
            }
        }
    }

    private List<List<LeaseId>> divide(Collection<LeaseId> leases) {
        Map<Object, List<LeaseId>> byOwner = new HashMap<>();
        leases.forEach(lease -> byOwner.computeIfAbsent(owner(lease), any -> new ArrayList<>()).add(lease));
        List<List<LeaseId>> lanes = new ArrayList<>();
        for (List<LeaseId> all : byOwner.values()) {
            int size = Math.max(LEASES_IN_A_LANE, all.size() / MOST_LANES_OF_A_MEMBER + 1);
            for (int from = 0; from < all.size(); from += size) {
                lanes.add(all.subList(from, Math.min(from + size, all.size())));
            }
        }
        return lanes;
    }

    /** Returns the member that has the record of the lease, as far as is known. */
    private Object owner(LeaseId lease) {
        try {
            Member member = instance.getPartitionService().getPartition(lease.key()).getOwner();
            return member == null ? "unknown" : member;
        } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
            return "none"; // The work will fail in the same way, and say so.
        }
    }
}
