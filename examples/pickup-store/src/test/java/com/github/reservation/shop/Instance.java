// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.Ports;
import com.github.reservation.jdbc.server.Database;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** An instance of the shop on PostgreSQL, in a JVM of its own. */
final class Instance implements AutoCloseable {

    private final int port;
    private final ChildJvm jvm;

    private Instance(int port, ChildJvm jvm) {
        this.port = port;
        this.jvm = jvm;
    }

    /** Starts an instance; {@link #awaitOpen()} waits until it answers. */
    static Instance start(Database database, int port, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"),
                PickupStore.class.getName(),
                "--spring.profiles.active=postgres",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.main.banner-mode=off",
                "--server.port=" + port));
        arguments.addAll(List.of(settings));
        return new Instance(port, new ChildJvm(ChildJvm.newDirectory(), arguments));
    }

    static int freePort() {
        return Ports.free();
    }

    /** Returns what the instance has printed until it was open. */
    List<String> awaitOpen() {
        List<String> lines = new ArrayList<>();
        do {
            lines.add(jvm.answer());
        } while (!lines.getLast().contains("The shop is open"));
        return lines;
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + port + path);
    }

    void kill() {
        jvm.kill();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
