// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** A TCP proxy in front of a port on this machine. */
public final class Proxy implements AutoCloseable {

    private final ServerSocket entry;
    private final IntFunction<Link> linkOf;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile int target;

    /** Makes a proxy all of whose connections are on one link. */
    public Proxy(int target, Link link) {
        this(target, from -> link);
    }

    /**
     * Makes a proxy for several clients.
     *
     * @param linkOf the link of the client that connects from a port
     */
    public Proxy(int target, IntFunction<Link> linkOf) {
        this.target = target;
        this.linkOf = linkOf;
        try {
            entry = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    public int port() {
        return entry.getLocalPort();
    }

    /** Sends new connections to another port from now on, and resets the ones that exist. */
    public void aimAt(int other) {
        target = other;
        connections.forEach(Connection::reset);
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket client = entry.accept();
                Thread.ofVirtual().start(() -> connect(client)); // That may take its time, if the server is stopped.
            } catch (IOException e) {
                // The proxy is closed.
            }
        }
    }

    private void connect(Socket client) {
        Link link = linkOf.apply(client.getPort());
        int aim = target;
        if (link.isRefusing()) {
            reset(client);
            return;
        }
        try {
            Connection connection = new Connection(
                    link, client, new Socket(InetAddress.getLoopbackAddress(), aim), connections::remove);
            connections.add(connection);
            connection.start();
            if (aim != target || link.isRefusing()) { // They came in between, and have not seen this connection.
                connection.reset();
            }
        } catch (IOException e) { // The server is down.
            reset(client);
        }
    }

    private static void reset(Socket client) {
        try (client) {
            client.setSoLinger(true, 0);
        } catch (IOException e) {
            // The client was faster.
        }
    }

    @Override
    public void close() {
        try {
            entry.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::reset);
    }
}
