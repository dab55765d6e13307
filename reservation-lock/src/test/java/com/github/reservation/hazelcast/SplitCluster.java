// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.awaitility.Awaitility;

/** Three members in this JVM, the third of which can lose the connection to the others, together with a client on its side. */
final class SplitCluster implements AutoCloseable {

    static final int THIRD = 2;

    /** The ports that the third member, a client on its side and a client on the other side connect from. */
    private static final int RANGE = 20;

    private final int outbound = ThreadLocalRandom.current().nextInt(20_000, 30_000); // Others rarely connect from there.
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<HazelcastInstance> members = new ArrayList<>();
    private final List<HazelcastInstance> clients = new ArrayList<>();

    SplitCluster() {
        List<Integer> ports = List.of(MemberProcess.freePort(), MemberProcess.freePort(), MemberProcess.freePort());
        ports.forEach(port -> proxies.add(new TcpProxy(port)));
        List<Integer> entries = proxies.stream().map(TcpProxy::port).toList();
        for (int i = 0; i < ports.size(); i++) {
            Config config = TestInstances.memberConfig(ports.get(i), entries);
            config.getNetworkConfig().setPublicAddress("127.0.0.1:" + entries.get(i));
            if (i == THIRD) {
                config.getNetworkConfig().addOutboundPortDefinition(range(outbound));
            }
            members.add(Hazelcast.newHazelcastInstance(quickToNotice(protect(config))));
        }
        TestInstances.awaitReady(members);
        clients.add(client(entries, outbound + RANGE));
        clients.add(client(entries, outbound + 2 * RANGE));
    }

    private static String range(int first) {
        return first + "-" + (first + RANGE - 1);
    }

    private static HazelcastInstance client(List<Integer> entries, int outbound) {
        ClientConfig config = TestInstances.clientConfig(entries);
        config.getNetworkConfig().addOutboundPortDefinition(range(outbound));
        config.setProperty("hazelcast.client.heartbeat.interval", "1000");
        config.setProperty("hazelcast.client.heartbeat.timeout", "5000");
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        Awaitility.await().until(() -> client.getCluster().getMembers().size() == 3);
        return client;
    }

    private static Config quickToNotice(Config config) {
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", "8");
        config.setProperty("hazelcast.merge.first.run.delay.seconds", "600");
        return config;
    }

    // This is what docs/backends/hazelcast.md recommends.
    private static Config protect(Config config) {
        config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, 2));
        config.getMapConfig("reservations-guarded").setSplitBrainProtectionName("majority");
        return config;
    }

    HazelcastInstance member(int member) {
        return members.get(member);
    }

    HazelcastInstance clientOfTheMinority() {
        return clients.get(0);
    }

    HazelcastInstance clientOfTheMajority() {
        return clients.get(1);
    }

    /** Splits it by closed connections, as soon as everything is on a backup, and waits until both sides have noticed. */
    void split() {
        split(TcpProxy::cut);
    }

    /** Splits it by lost packets: both sides notice when the others have sent no heartbeat for too long. */
    void splitSilently() {
        split(TcpProxy::silence);
    }

    private void split(BiConsumer<TcpProxy, IntPredicate> fault) {
        TestInstances.awaitReady(members);
        fault.accept(proxies.get(0), from -> from >= outbound && from < outbound + 2 * RANGE);
        fault.accept(proxies.get(1), from -> from >= outbound && from < outbound + 2 * RANGE);
        fault.accept(proxies.get(THIRD), from -> from < outbound + RANGE || from >= outbound + 2 * RANGE);
        TestInstances.awaitReady(members.subList(0, THIRD));
        TestInstances.awaitReady(members.subList(THIRD, members.size()));
        clients.forEach(TestInstances::reachAllPartitions);
    }

    @Override
    public void close() {
        clients.forEach(client -> client.getLifecycleService().terminate());
        members.forEach(member -> member.getLifecycleService().terminate());
        proxies.forEach(TcpProxy::close);
    }
}
