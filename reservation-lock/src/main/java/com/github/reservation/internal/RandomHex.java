// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Hex digits that nobody can guess. They are drawn many at a time: one by one is slow, and threads would queue for it. */
final class RandomHex {

    private static final int BLOCK = 1024;

    private static final class Block {

        final byte[] bytes;
        final AtomicInteger used = new AtomicInteger();

        Block(int size) {
            this.bytes = new byte[size];
        }
    }

    private final SecureRandom random = new SecureRandom();
    private final AtomicReference<Block> current = new AtomicReference<>(new Block(0));

    /** Returns two digits for each of so many bytes, of which no other call gets any. */
    String next(int bytes) {
        while (true) {
            Block block = current.get();
            int from = block.used.getAndAdd(bytes);
            if (from + bytes <= block.bytes.length) {
                return HexFormat.of().formatHex(block.bytes, from, from + bytes);
            }
            current.compareAndSet(block, draw());
        }
    }

    private Block draw() {
        Block block = new Block(BLOCK);
        random.nextBytes(block.bytes);
        return block;
    }
}
