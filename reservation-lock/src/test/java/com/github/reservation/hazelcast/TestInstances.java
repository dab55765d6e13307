// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;

/** Members and clients for tests: on loopback alone, without multicast, and quiet. */
public final class TestInstances {

    static final String CLUSTER = "reservation-test";

    private TestInstances() {}

    public static Config memberConfig(int port, List<Integer> cluster) {
        Backend.HAZELCAST.require();
        Config config = new Config();
        config.setClusterName(CLUSTER);
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        cluster.forEach(member -> join.getTcpIpConfig().addMember("127.0.0.1:" + member));
        return config;
    }

    /** Starts a member in this JVM that is a cluster by itself. */
    public static HazelcastInstance member() {
        int port = MemberProcess.freePort();
        return Hazelcast.newHazelcastInstance(memberConfig(port, List.of(port)));
    }

    /**
     * Waits until the members are one cluster, and each of them reaches all partitions. What a manager asks has a limit, and a cluster that
     * has just started or split can take longer on a busy machine.
     */
    static void awaitReady(List<HazelcastInstance> members) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> members.stream()
                        .allMatch(member -> member.getCluster().getMembers().size() == members.size()));
        members.forEach(TestInstances::reachAllPartitions);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> members.stream().allMatch(member -> member.getPartitionService().isClusterSafe()));
    }

    /** Asks something of each partition, without a limit. */
    static void reachAllPartitions(HazelcastInstance instance) {
        instance.getMap("ready").size();
    }

    /** Returns the configuration of a client of the members on these ports. */
    public static ClientConfig clientConfig(List<Integer> ports) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(CLUSTER);
        config.setProperty("hazelcast.logging.type", "none");
        config.getMetricsConfig().setEnabled(false);
        ports.forEach(port -> config.getNetworkConfig().addAddress("127.0.0.1:" + port));
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setInitialBackoffMillis(100);
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setMaxBackoffMillis(500);
        return config;
    }

    /** Starts a client of the members on these ports. */
    public static HazelcastInstance client(int... ports) {
        return HazelcastClient.newHazelcastClient(
                clientConfig(Arrays.stream(ports).boxed().toList()));
    }
}
