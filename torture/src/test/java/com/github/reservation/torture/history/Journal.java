// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.history;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the history of one process. Each line is with the operating system when a method returns, so SIGKILL takes nothing away. Facts
 * are pairs of names and values, without blanks.
 *
 * <pre>
 * &gt; 1000 7 acquire key-3 lease=2000        thread 7 calls
 * &lt; 1500 7 granted fence=17 until=2900      and returns
 * . 1600 - lost key-3 fence=17              something is told
 * </pre>
 */
public final class Journal implements Closeable {

    private final FileOutputStream file;
    private final Lock turn = new ReentrantLock();

    public Journal(Path path) {
        try {
            file = new FileOutputStream(path.toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes that this thread calls something. */
    public void calls(String what, String key, Object... facts) {
        write('>', System.nanoTime(), thread(), what + ' ' + key, facts);
    }

    /** Notes what the last call of this thread returned. */
    public void returns(String result, Object... facts) {
        write('<', System.nanoTime(), thread(), result, facts);
    }

    /** Notes something that has no duration. */
    public void notes(String what, String key, Object... facts) {
        write('.', System.nanoTime(), thread(), what + ' ' + key, facts);
    }

    private static String thread() {
        return Long.toString(Thread.currentThread().threadId());
    }

    private void write(char kind, long at, String thread, String text, Object... facts) {
        StringBuilder line = new StringBuilder(80);
        line.append(kind).append(' ').append(at).append(' ').append(thread).append(' ').append(text);
        for (int i = 0; i < facts.length; i += 2) {
            line.append(' ').append(facts[i]).append('=').append(withoutBlanks(facts[i + 1]));
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        turn.lock();
        try {
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            turn.unlock();
        }
    }

    private static String withoutBlanks(Object fact) {
        String text = String.valueOf(fact);
        return text.chars().anyMatch(Character::isWhitespace)
                ? Stream.of(text.split("\\s+")).collect(Collectors.joining("_"))
                : text;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
