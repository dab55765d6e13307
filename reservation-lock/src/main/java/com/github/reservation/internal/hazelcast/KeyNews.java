// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.Message;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A topic of the map's name, with which a node says that a key has changed for which nodes wait, and asks for the time. Messages are
 * hints: a lost one costs a poll. A message for everyone, not a topic for each node: topics are never forgotten, and nodes come and
 * go.
 */
final class KeyNews {

    private static final char KEY = 'K';
    private static final char TIME = 'T';
    private static final char SEPARATOR = ':';

    private final HazelcastInstance instance;
    private final String name;
    private final BiConsumer<String, MapRecord> changed;
    private final ClusterClock clock = new ClusterClock(Ticker.system(), this::askTime);
    private final Lock starting = new ReentrantLock();
    private volatile @Nullable ITopic<String> topic;
    private @Nullable UUID registration;
    private volatile boolean closed;

    /** Passes what other nodes, and this one, tell of a key to {@code changed}, on a thread of Hazelcast. */
    KeyNews(HazelcastInstance instance, String name, BiConsumer<String, MapRecord> changed) {
        this.instance = instance;
        this.name = name;
        this.changed = changed;
    }

    ClusterClock clock() {
        return clock;
    }

    boolean isListening() {
        return topic != null;
    }

    /** Listens, from the first call on. Takes round trips to all members. */
    void start(LimitedCalls calls, long deadline) throws StoreException {
        if (topic != null || closed) {
            return;
        }
        calls.run(deadline, () -> {
            starting.lockInterruptibly();
            try {
                if (topic == null) {
                    ITopic<String> found = instance.getTopic(name);
                    UUID added = found.addMessageListener(this::received);
                    registration = added;
                    topic = found;
                }
                return true;
            } finally {
                starting.unlock();
            }
        });
    }

    /** Tells all nodes what the record of the key is now. */
    void tell(String key, MapRecord record) {
        publish(KEY + Integer.toString(key.length()) + SEPARATOR + key + record.text());
    }

    private void askTime(String message) {
        publish(TIME + message);
    }

    private void publish(String message) {
        ITopic<String> known = topic;
        if (known == null) {
            return;
        }
        try {
            known.publishAsync(message).whenComplete((done, e) -> {
                if (e != null) {
                    Log.debug("A message to the topic " + name + " was lost", e);
                }
            });
        } catch (RuntimeException e) {
            Log.debug("A message to the topic " + name + " was not sent", e);
        }
    }

    private void received(Message<String> message) {
        String text = message.getMessageObject();
        if (text.charAt(0) == TIME) {
            clock.answered(text.substring(1), message.getPublishTime());
            return;
        }
        int length = text.indexOf(SEPARATOR);
        int value = length + 1 + Integer.parseInt(text, 1, length, 10);
        String key = text.substring(length + 1, value);
        MapRecord.parse(key, text.substring(value)).ifPresent(record -> changed.accept(key, record));
    }

    /** Makes it start at the next call, after it was closed. */
    void open() {
        closed = false;
    }

    /** Ends it, in the background, because it takes round trips. */
    void close() {
        closed = true;
        Threads.startVirtual("reservation-news", () -> {
            starting.lock();
            try {
                ITopic<String> known = topic;
                UUID added = registration;
                if (closed && known != null && added != null) {
                    topic = null;
                    known.removeMessageListener(added);
                }
            } catch (RuntimeException e) {
                Log.debug("Could not stop listening to the topic " + name, e);
            } finally {
                starting.unlock();
            }
        });
    }
}
