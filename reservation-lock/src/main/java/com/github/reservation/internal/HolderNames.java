// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Names the holder of each acquisition: {@code thread-7@host/4711-} and 32 random hex digits. The readable part is for
 * people; the random part makes the name unique and is a secret: whoever knows it can release the lease.
 */
final class HolderNames {

    private static final int MAX_THREAD_NAME = 64;
    private static final int MAX_HOST = 100;
    private static final int RANDOM_BYTES = 16;

    /** Found once: to ask for the host name can take seconds where the name service is slow. */
    private static final String PROCESS =
            plain(hostName(), MAX_HOST) + '/' + ProcessHandle.current().pid();

    private final RandomBytes random = new RandomBytes();

    /** Returns a name for an acquisition by the thread. It is ASCII, and shorter than 256 characters. */
    String next(Thread thread) {
        String name = thread.getName().isEmpty() ? "thread" : plain(thread.getName(), MAX_THREAD_NAME);
        return name + '-' + thread.threadId() + '@' + PROCESS + '-' + randomHex(RANDOM_BYTES);
    }

    /** Returns a name for this node among those that wait for a key: 16 characters, because the store keeps many of them. */
    String node() {
        return randomHex(8);
    }

    /** Returns the part that may be shown. */
    static String readable(String holder) {
        int end = holder.lastIndexOf('-');
        return end < 0 ? holder : holder.substring(0, end);
    }

    private String randomHex(int count) {
        return random.nextHex(count);
    }

    /** Thread names may hold anything; the column of the holder may not. */
    private static String plain(String text, int maxLength) {
        StringBuilder plain = new StringBuilder(Math.min(text.length(), maxLength));
        for (int i = 0; i < text.length() && i < maxLength; i++) {
            char c = text.charAt(i);
            plain.append(c > ' ' && c < 0x7f ? c : '_');
        }
        return plain.toString();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
