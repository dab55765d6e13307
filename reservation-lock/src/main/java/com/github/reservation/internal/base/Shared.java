// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Registration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Things that users share by a key: the first user opens one, the last one closes it. An instance of this class is static.
 *
 * @param <K> what those who share have in common
 */
public final class Shared<K, V> {

    private static final class Entry<V> {

        private final V value;
        private int users;

        Entry(V value) {
            this.value = value;
        }
    }

    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final Function<K, V> open;
    private final Consumer<V> close;

    public Shared(Function<K, V> open, Consumer<V> close) {
        this.open = open;
        this.close = close;
    }

    /**
     * Adds a user until the result is closed.
     *
     * @param joins gets what they share. If it throws, the user has not joined
     * @param leaves gets the same at the end
     */
    public Registration join(K key, Consumer<V> joins, Consumer<V> leaves) {
        entries.compute(key, (same, present) -> {
            Entry<V> entry = present == null ? new Entry<>(open.apply(key)) : present;
            joins.accept(entry.value);
            entry.users++;
            return entry;
        });
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                leave(key, leaves);
            }
        };
    }

    private void leave(K key, Consumer<V> leaves) {
        entries.computeIfPresent(key, (same, entry) -> {
            leaves.accept(entry.value);
            entry.users--;
            if (entry.users > 0) {
                return entry;
            }
            close.accept(entry.value);
            return null;
        });
    }
}
