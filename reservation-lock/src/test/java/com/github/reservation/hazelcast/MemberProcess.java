// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A cluster member in a JVM of its own, with nothing but Hazelcast on its class path, started by Hazelcast's own main class. */
public final class MemberProcess implements AutoCloseable {

    private final int port;
    private final ChildJvm jvm;

    /**
     * Starts a member that looks for others on the given ports.
     *
     * @param map the part of the configuration that is about maps
     */
    MemberProcess(int port, List<Integer> cluster, Map<String, String> properties, String map) {
        this(ChildJvm.SMALL, port, cluster, properties, map);
    }

    private MemberProcess(
            List<String> options, int port, List<Integer> cluster, Map<String, String> properties, String map) {
        Backend.HAZELCAST.require();
        this.port = port;
        Path directory = ChildJvm.newDirectory();
        write(directory.resolve("hazelcast.xml"), configuration(port, cluster, properties, map));
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(
                "-Dhazelcast.config=" + directory.resolve("hazelcast.xml"),
                "-classpath",
                hazelcastJar(),
                "com.hazelcast.core.server.HazelcastMemberStarter"));
        this.jvm = new ChildJvm(directory, arguments);
    }

    /** Starts a member that is a cluster by itself, with all that a JVM needs to be fast. */
    public static MemberProcess toMeasure() {
        int port = freePort();
        return new MemberProcess(List.of("-Xmx512m"), port, List.of(port), Map.of(), "").started();
    }

    /** Starts a member that is a cluster by itself. */
    public static MemberProcess alone() {
        int port = freePort();
        return new MemberProcess(port, List.of(port), Map.of(), "").started();
    }

    public static int freePort() {
        return Ports.free();
    }

    static String hazelcastJar() {
        return ChildJvm.classPath().filter(entry -> entry.matches(".*/hazelcast-[0-9.]+\\.jar")).findFirst()
                .orElseThrow();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String configuration(int port, List<Integer> cluster, Map<String, String> properties, String map) {
        return """
                <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                  <cluster-name>%s</cluster-name>
                  <properties>
                    <property name="hazelcast.phone.home.enabled">false</property>
                    <property name="hazelcast.socket.bind.any">false</property>
                    %s
                  </properties>
                  <network>
                    <port auto-increment="false">%d</port>
                    <join>
                      <auto-detection enabled="false"/>
                      <multicast enabled="false"/>
                      <tcp-ip enabled="true">%s</tcp-ip>
                    </join>
                    <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                  </network>
                  %s
                  <metrics enabled="false"/>
                  <jet enabled="false"/>
                </hazelcast>
                """.formatted(
                TestInstances.CLUSTER,
                properties.entrySet().stream()
                        .map(entry -> "<property name=\"" + entry.getKey() + "\">" + entry.getValue() + "</property>")
                        .collect(Collectors.joining()),
                port,
                cluster.stream().map(p -> "<member>127.0.0.1:" + p + "</member>").collect(Collectors.joining()),
                map);
    }

    /** Waits until it is a member of a cluster. */
    MemberProcess started() {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!jvm.log().contains(" is STARTED")) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException("The member does not start: " + jvm.log());
            }
            pause();
        }
        return this;
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return port;
    }

    void kill() {
        jvm.kill();
    }

    void freeze() {
        jvm.freeze();
    }

    void thaw() {
        jvm.thaw();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
