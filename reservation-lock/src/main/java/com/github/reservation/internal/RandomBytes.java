// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Random bytes that nobody can guess, for many threads. {@link SecureRandom} lets in one of them at a time, so it is asked for a
 * block, of which each takes its own part.
 */
final class RandomBytes {

    private static final int BLOCK = 4096;

    private static final class Block {

        final byte[] bytes = new byte[BLOCK];
        final AtomicInteger taken = new AtomicInteger();
    }

    private final SecureRandom random = new SecureRandom();
    private volatile Block block = freshBlock();

    /** Returns that many bytes as twice as many hex digits. */
    String nextHex(int count) {
        while (true) {
            Block current = block;
            int from = current.taken.getAndAdd(count);
            if (from >= 0 && from + count <= BLOCK) {
                return HexFormat.of().formatHex(current.bytes, from, from + count);
            }
            renew(current);
        }
    }

    private synchronized void renew(Block usedUp) {
        if (block == usedUp) {
            block = freshBlock();
        }
    }

    private Block freshBlock() {
        Block fresh = new Block();
        random.nextBytes(fresh.bytes);
        return fresh;
    }
}
