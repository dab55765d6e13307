// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** A TCP proxy in front of a port, whose connections can be cut or fall silent, and whose requests can be delayed. */
final class TcpProxy implements AutoCloseable {

    private final ServerSocket entry;
    private final int target;
    private final Map<Socket, Socket> connections = new ConcurrentHashMap<>();
    private volatile IntPredicate cutFor = from -> false;
    private volatile IntPredicate silentFor = from -> false;
    private volatile ToLongFunction<Socket> delay = from -> 0;

    TcpProxy(int target) {
        this(0, target);
    }

    TcpProxy(int port, int target) {
        this.target = target;
        try {
            this.entry = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    /** Refuses connections from such ports and cuts the ones that exist. */
    void cut(IntPredicate fromPort) {
        cutFor = fromPort;
        connections.keySet().stream()
                .filter(incoming -> fromPort.test(incoming.getPort()))
                .forEach(this::end);
    }

    void mend() {
        cutFor = from -> false;
    }

    /** Drops all that comes from such ports, and all answers, for good. The connections stay, as when a cable is pulled. */
    void silence(IntPredicate fromPort) {
        silentFor = fromPort;
    }

    /** Lets what comes from such ports wait before it is passed on; answers go back at once. */
    void delay(IntPredicate fromPort, Supplier<Duration> time) {
        delay = from -> fromPort.test(from.getPort()) ? time.get().toMillis() : 0;
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket incoming = entry.accept();
                if (cutFor.test(incoming.getPort())) {
                    incoming.close();
                } else {
                    connect(incoming);
                }
            } catch (IOException e) {
                // The proxy is closed, or the target is down: the caller will notice.
            }
        }
    }

    private void connect(Socket incoming) throws IOException {
        try {
            Socket outgoing = new Socket(InetAddress.getLoopbackAddress(), target);
            connections.put(incoming, outgoing);
            if (cutFor.test(incoming.getPort())) { // The cut came in between, and has not seen this connection.
                end(incoming);
                return;
            }
            Thread.ofVirtual().start(() -> copy(incoming, incoming, outgoing));
            Thread.ofVirtual().start(() -> copy(incoming, outgoing, incoming));
        } catch (IOException e) {
            incoming.close();
        }
    }

    private void copy(Socket connection, Socket from, Socket to) {
        try {
            byte[] buffer = new byte[8192];
            for (int n = from.getInputStream().read(buffer); n >= 0; n = from.getInputStream().read(buffer)) {
                Thread.sleep(from == connection ? delay.applyAsLong(from) : 0);
                if (!silentFor.test(connection.getPort())) {
                    to.getOutputStream().write(buffer, 0, n);
                }
            }
        } catch (IOException | InterruptedException e) {
            // It was cut, or one of the ends has gone.
        } finally {
            end(connection);
        }
    }

    private void end(Socket incoming) {
        Socket outgoing = connections.remove(incoming);
        try (incoming;
                outgoing) {
            // Closes both.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cut(from -> true);
        try {
            entry.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
