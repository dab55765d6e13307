// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that answers each line with its name and the line. */
final class EchoServer implements AutoCloseable {

    private final String name;
    private final ServerSocket entry;
    private final List<String> received = new CopyOnWriteArrayList<>();

    EchoServer(String name) throws IOException {
        this.name = name;
        entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    List<String> received() {
        return received;
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket client = entry.accept();
                Thread.ofVirtual().start(() -> answer(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket client) {
        try (client;
                BufferedReader reader = new BufferedReader(new InputStreamReader(client.getInputStream()))) {
            client.setTcpNoDelay(true);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                received.add(line);
                client.getOutputStream().write((name + " " + line + "\n").getBytes());
            }
        } catch (IOException e) {
            // It was reset.
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
    }
}
