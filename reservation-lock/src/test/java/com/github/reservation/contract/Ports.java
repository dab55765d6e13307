// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that tests start. */
public final class Ports {

    private Ports() {}

    /**
     * Finds a port below those that the system gives to clients (from 32768 on): the server binds it only later, and until then
     * no client of another test may get it. While a server is down, a client that tries to reach a port among those can also be
     * given that very port as its own and be connected to itself.
     */
    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
        }
    }
}
