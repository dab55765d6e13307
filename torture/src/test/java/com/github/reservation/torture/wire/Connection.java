// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import com.github.reservation.torture.wire.Wire.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.function.Consumer;

/** A client's connection to a proxy and the one from there to the server, with a thread for each way. */
final class Connection {

    /** A driver needs a few requests to open a connection: to lose one of those tells nothing about transactions. */
    private static final int TO_OPEN = 8;

    private final Link link;
    private final Socket client;
    private final Socket server;
    private final Consumer<Connection> atEnd;
    private volatile boolean losesReply;
    private volatile boolean lost;

    Connection(Link link, Socket client, Socket server, Consumer<Connection> atEnd) throws IOException {
        this.link = link;
        this.client = client;
        this.server = server;
        this.atEnd = atEnd;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        link.add(this);
        Thread.ofVirtual().name("requests").start(() -> pump(Way.REQUESTS, client, server));
        Thread.ofVirtual().name("replies").start(() -> pump(Way.REPLIES, server, client));
    }

    private void pump(Way way, Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        int count = 0;
        try {
            for (int n = from.getInputStream().read(buffer); n >= 0; n = from.getInputStream().read(buffer)) {
                link.carry(n);
                lost |= link.swallows(way);
                if (lost) {
                    continue;
                }
                if (way == Way.REQUESTS) {
                    count++;
                    losesReply |= count > TO_OPEN && link.dropsNextReply();
                } else if (losesReply) {
                    link.droppedOne();
                    reset();
                    return;
                }
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException | InterruptedException e) {
            // It was reset, or one of the ends has gone.
        } finally {
            end();
        }
    }

    boolean hasLostSomething() {
        return lost;
    }

    int portAtServer() {
        return server.getLocalPort();
    }

    /** Both ends see a connection that was reset by its peer. */
    void reset() {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (IOException e) {
            // It has ended just now.
        }
        end();
    }

    void end() {
        link.remove(this);
        atEnd.accept(this);
        try (client;
                server) {
            // Closes both.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
