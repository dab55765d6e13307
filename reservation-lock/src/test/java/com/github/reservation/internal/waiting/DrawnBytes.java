// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Prints how many random bytes each of some holder names has drawn, in a JVM of its own: see {@link NodeTest}. */
public final class DrawnBytes {

    static final int NAMES = 5;

    private static final AtomicInteger DRAWN = new AtomicInteger();

    private DrawnBytes() {}

    public static void main(String[] args) {
        Security.insertProviderAt(new CountingProvider(), 1);
        for (int i = 0; i < NAMES; i++) {
            DRAWN.set(0);
            new Node(null).nextHolder(Thread.currentThread());
            System.out.println(DRAWN.get());
        }
    }

    private static final class CountingProvider extends Provider {

        private static final long serialVersionUID = 1L;

        private CountingProvider() {
            super("Counting", "1", "Counts the random bytes that are drawn");
            put("SecureRandom.Counting", CountingRandom.class.getName());
        }
    }

    /** Public, because the JDK makes one. */
    public static final class CountingRandom extends SecureRandomSpi {

        private static final long serialVersionUID = 1L;

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            DRAWN.addAndGet(bytes.length);
            ThreadLocalRandom.current().nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            return new byte[length];
        }
    }
}
