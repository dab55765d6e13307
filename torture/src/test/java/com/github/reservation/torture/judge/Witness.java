// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.judge;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One thread's connection to the {@link Judge}. */
public final class Witness implements AutoCloseable {

    private final Socket socket;
    private final OutputStream out;
    private final BufferedReader in;

    public Witness(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes to the row that the key protects; returns whether it took the write. */
    public boolean writes(String key, String grant, long fence, long until) {
        return says("write " + key + " " + grant + " " + fence + " " + until).equals("accepted");
    }

    /** Says that the holder does not rely on its lease any more. */
    public void leaves(String key, String grant) {
        says("leave " + key + " " + grant);
    }

    /** Says that the key will be taken from its holder. */
    public void forces(String key) {
        says("forced " + key);
    }

    private String says(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (answer == null) {
                throw new IOException("The judge has gone");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
