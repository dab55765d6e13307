// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** Counts how often pgjdbc peeks: it waits for a millisecond then, and never else. Named in {@code socketFactory}. */
public final class PeekCountingSockets extends SocketFactory {

    private static final AtomicInteger PEEKS = new AtomicInteger();

    /** Returns how often since it was asked last. */
    static int peeks() {
        return PEEKS.getAndSet(0);
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void setSoTimeout(int millis) throws SocketException {
                if (millis == 1) {
                    PEEKS.incrementAndGet();
                }
                super.setSoTimeout(millis);
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }
}
