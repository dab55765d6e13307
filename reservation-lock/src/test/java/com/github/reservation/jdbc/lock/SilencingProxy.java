// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A TCP proxy in front of a server. It can let one connection go silent while a request is on its way: the connection stays open, but
 * nothing comes through any more. That is how a firewall that has forgotten the connection looks, or a machine that lost its power.
 */
final class SilencingProxy implements AutoCloseable {

    private static final int LARGE = 1_000;

    private final ServerSocket entry;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicBoolean silenced = new AtomicBoolean();

    SilencingProxy(int target) throws IOException {
        this.target = target;
        this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    /** Silences the connection that sends the next large request: not a pool's test of a connection, but many leases at once. */
    void silenceNextLargeRequest() {
        silenced.set(false);
        armed.set(true);
    }

    boolean hasSilencedOne() {
        return silenced.get();
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket client = entry.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                AtomicBoolean silent = new AtomicBoolean();
                Thread.ofVirtual().start(() -> copy(client, server, silent, true));
                Thread.ofVirtual().start(() -> copy(server, client, silent, false));
            } catch (IOException e) {
                // The proxy is closed.
            }
        }
    }

    private void copy(Socket from, Socket to, AtomicBoolean silent, boolean requests) {
        byte[] buffer = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (requests && length > LARGE && armed.compareAndSet(true, false)) {
                    silent.set(true);
                    silenced.set(true);
                }
                if (!silent.get()) {
                    to.getOutputStream().write(buffer, 0, length);
                }
            }
        } catch (IOException e) {
            // One of the ends has gone.
        }
    }

    @Override
    public void close() {
        try {
            entry.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
