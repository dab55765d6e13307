// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** One connection to an {@link EchoServer}. */
final class EchoClient implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader reader;

    EchoClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
    }

    void timeout(Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
    }

    /** Sends a line and returns the answer, or null if the connection was closed. */
    String ask(String line) throws IOException {
        send(line);
        return answer();
    }

    void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes());
    }

    String answer() throws IOException {
        return reader.readLine();
    }

    /** Asks so often that the proxy takes the connection for open. */
    EchoClient open() throws IOException {
        for (int i = 0; i < 10; i++) {
            ask("open");
        }
        return this;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
