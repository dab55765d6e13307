// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A cluster of three members, each in a JVM of its own. */
final class ThreeMembers implements AutoCloseable {

    private final List<Integer> ports;
    private final List<MemberProcess> members = new ArrayList<>();
    private HazelcastInstance observer;

    ThreeMembers() {
        ports = Stream.generate(MemberProcess::freePort).distinct().limit(3).toList();
        ports.forEach(port -> members.add(new MemberProcess(port, ports, Map.of(), "").started()));
    }

    /** Starts a client that knows all members, and waits until it sees them and reaches all partitions. */
    HazelcastInstance client() {
        HazelcastInstance client =
                TestInstances.client(members.stream().mapToInt(MemberProcess::port).toArray());
        Awaitility.await().until(() -> client.getCluster().getMembers().size() >= 3);
        TestInstances.reachAllPartitions(client);
        return client;
    }

    /**
     * Waits until everything is on a backup, as it must be before a member may die. Only a member can tell: so one without
     * data looks on from here.
     */
    void awaitBackups() {
        if (observer == null) {
            observer = Hazelcast.newHazelcastInstance(
                    TestInstances.memberConfig(MemberProcess.freePort(), ports).setLiteMember(true));
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(observer.getPartitionService()::isClusterSafe);
    }

    /** Returns the member that has the partition of the key, as soon as the client knows one: just after a death it may not. */
    MemberProcess owner(HazelcastInstance client, String key) {
        Member owner = Awaitility.await()
                .until(() -> client.getPartitionService().getPartition(key).getOwner(), Objects::nonNull);
        return members.stream()
                .filter(member -> member.port() == owner.getAddress().getPort())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        if (observer != null) {
            observer.getLifecycleService().terminate();
        }
        members.forEach(MemberProcess::close);
    }
}
