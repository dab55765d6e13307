// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Three members in this JVM, as docs/backends/hazelcast.md recommends them: one backup, and split-brain protection of two.
 * Members can be killed and replaced. Each has a proxy through which all clients come, so that a client can be cut off or
 * slowed down while the members see each other.
 */
final class BreakableCluster implements AutoCloseable {

    static final int SIZE = 3;

    /** From how many ports each client connects. */
    private static final int RANGE = 100;

    private final List<Integer> ports =
            Stream.generate(MemberProcess::freePort).distinct().limit(2 * SIZE).toList();
    private final List<TcpProxy> proxies =
            ports.subList(SIZE, 2 * SIZE).stream().map(TcpProxy::new).toList();
    private final List<HazelcastInstance> members = new ArrayList<>();
    private final List<HazelcastInstance> clients = new ArrayList<>();
    private final int outbound = ThreadLocalRandom.current().nextInt(200, 290) * RANGE; // Others rarely connect from there.

    BreakableCluster() {
        for (int i = 0; i < SIZE; i++) {
            members.add(Hazelcast.newHazelcastInstance(config(i)));
        }
        awaitSafe();
    }

    private Config config(int member) {
        Config config = TestInstances.memberConfig(ports.get(member), ports.subList(0, SIZE));
        config.setProperty("hazelcast.client.cleanup.period.millis", "500");
        config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, 2));
        config.getMapConfig("reservations-*").setSplitBrainProtectionName("majority");
        AdvancedNetworkConfig network = config.getAdvancedNetworkConfig().setEnabled(true);
        network.setJoin(config.getNetworkConfig().getJoin());
        network.setMemberEndpointConfig(endpoint(ports.get(member)));
        network.setClientEndpointConfig(endpoint(ports.get(SIZE + member))
                .setPublicAddress("127.0.0.1:" + proxies.get(member).port()));
        return config;
    }

    private static ServerSocketEndpointConfig endpoint(int port) {
        ServerSocketEndpointConfig endpoint = new ServerSocketEndpointConfig();
        endpoint.setPort(port).setPortAutoIncrement(false);
        endpoint.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return endpoint;
    }

    /** Starts a client; the first one has the number 0. */
    HazelcastInstance client() {
        ClientConfig config =
                TestInstances.clientConfig(proxies.stream().map(TcpProxy::port).toList());
        int first = outbound + clients.size() * RANGE;
        config.getNetworkConfig().addOutboundPortDefinition(first + "-" + (first + RANGE - 1));
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        clients.add(client);
        return client;
    }

    /** Returns a port where any client finds the cluster. */
    int entry() {
        return proxies.getFirst().port();
    }

    void kill(int member) {
        members.get(member).getLifecycleService().terminate();
    }

    /** Starts a new member, at the address of the dead one. */
    void replace(int member) {
        members.set(member, Hazelcast.newHazelcastInstance(config(member)));
    }

    /** Waits until all members are there and everything is on a backup: only then one of them may die. */
    void awaitSafe() {
        TestInstances.awaitReady(members);
    }

    /** Cuts the connections of a client, which cannot connect again. */
    void cut(int client) {
        proxies.forEach(proxy -> proxy.cut(from(client)));
    }

    /** Lets every connection be as it was. */
    void mend() {
        proxies.forEach(TcpProxy::mend);
        delay(() -> Duration.ZERO);
    }

    /** Delays every request of all clients. */
    void delay(Supplier<Duration> time) {
        proxies.forEach(proxy -> proxy.delay(from -> true, time));
    }

    /** Delays the requests of all clients to one member. */
    void hang(int member, Duration time) {
        proxies.get(member).delay(from -> true, () -> time);
    }

    private IntPredicate from(int client) {
        int first = outbound + client * RANGE;
        return port -> port >= first && port < first + RANGE;
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
        clients.forEach(client -> client.getLifecycleService().terminate());
        members.forEach(member -> member.getLifecycleService().terminate());
    }
}
