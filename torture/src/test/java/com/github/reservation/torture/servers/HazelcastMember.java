// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.contract.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A member of a cluster in a JVM of its own, with nothing but Hazelcast on its class path. */
final class HazelcastMember implements AutoCloseable {

    static final String CLUSTER = "torture";

    private final URL health;
    private final ChildJvm jvm;

    /**
     * Where a member listens, and what it says of that to others.
     *
     * @param members the port for members, and the one of the proxy in front of it
     * @param clients the port for clients, and the one of the proxy in front of it
     * @param health the port that tells how the cluster is
     * @param outbound the ports that the member comes from
     */
    record Ports(Entrance members, Entrance clients, int health, String outbound) {}

    /** A port, and the one of the proxy in front of it. */
    record Entrance(int port, int proxy) {}

    /** Starts it. It looks for others at these ports. */
    HazelcastMember(Ports ports, List<Integer> cluster) {
        Path directory = ChildJvm.newDirectory();
        try {
            health = URI.create("http://127.0.0.1:" + ports.health() + "/hazelcast/health").toURL();
            Files.writeString(directory.resolve("hazelcast.xml"), configuration(ports, cluster));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of(
                "-Dhazelcast.config=" + directory.resolve("hazelcast.xml"),
                "-classpath",
                ChildJvm.classPath().filter(entry -> entry.matches(".*/hazelcast-[0-9.]+\\.jar")).findFirst()
                        .orElseThrow(),
                "com.hazelcast.core.server.HazelcastMemberStarter"));
        jvm = new ChildJvm(directory, arguments);
    }

    /** As docs/backends/hazelcast.md recommends it; splits are noticed and healed sooner than by default. */
    private static String configuration(Ports ports, List<Integer> cluster) {
        return """
                <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                  <cluster-name>%s</cluster-name>
                  <properties>
                    <property name="hazelcast.phone.home.enabled">false</property>
                    <property name="hazelcast.socket.bind.any">false</property>
                    <property name="hazelcast.heartbeat.interval.seconds">1</property>
                    <property name="hazelcast.max.no.heartbeat.seconds">8</property>
                    <property name="hazelcast.merge.first.run.delay.seconds">3</property>
                    <property name="hazelcast.merge.next.run.delay.seconds">3</property>
                  </properties>
                  <advanced-network enabled="true">
                    <join>
                      <auto-detection enabled="false"/>
                      <multicast enabled="false"/>
                      <tcp-ip enabled="true">%s</tcp-ip>
                    </join>
                    <member-server-socket-endpoint-config>
                      %s
                      <outbound-ports><ports>%s</ports></outbound-ports>
                    </member-server-socket-endpoint-config>
                    <client-server-socket-endpoint-config>%s</client-server-socket-endpoint-config>
                    <rest-server-socket-endpoint-config>
                      <port auto-increment="false">%d</port>
                      <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                      <endpoint-groups><endpoint-group name="HEALTH_CHECK" enabled="true"/></endpoint-groups>
                    </rest-server-socket-endpoint-config>
                  </advanced-network>
                  <split-brain-protection name="majority" enabled="true">
                    <minimum-cluster-size>2</minimum-cluster-size>
                  </split-brain-protection>
                  <map name="reservations-*">
                    <backup-count>1</backup-count>
                    <split-brain-protection-ref>majority</split-brain-protection-ref>
                  </map>
                  <metrics enabled="false"/>
                  <jet enabled="false"/>
                </hazelcast>
                """.formatted(
                CLUSTER,
                cluster.stream().map(port -> "<member>127.0.0.1:" + port + "</member>").collect(Collectors.joining()),
                endpoint(ports.members()), ports.outbound(), endpoint(ports.clients()), ports.health());
    }

    private static String endpoint(Entrance entrance) {
        return """
                <port auto-increment="false">%d</port>
                <public-address>127.0.0.1:%d</public-address>
                <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                """.formatted(entrance.port(), entrance.proxy());
    }

    /** Returns whether it is in a cluster of so many, and everything is on a backup: only then a member may die. */
    boolean isSafe(int members) {
        String answer = health();
        return answer.contains("\"clusterSafe\":true") && answer.contains("\"clusterSize\":" + members);
    }

    private String health() {
        try {
            URLConnection connection = health.openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(1000);
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replace(" ", "");
        } catch (IOException e) {
            return e.toString();
        }
    }

    void freeze() {
        jvm.freeze();
    }

    void thaw() {
        jvm.thaw();
    }

    /** Returns what to look at if it does not do what it should. */
    String report() {
        String log = jvm.log();
        return health() + "\n" + log.substring(Math.max(0, log.length() - 3000));
    }

    /** Kills it with SIGKILL. */
    @Override
    public void close() {
        jvm.close();
    }
}
