// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.StoreException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.topic.ITopic;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A topic of the map's name, with which a node says that a key has changed for which nodes wait, and asks for the time. Messages are
 * hints: a lost one costs a poll. A message for everyone, not a topic for each node: topics are never forgotten, and nodes come and
 * go.
 */
final class KeyNews {

    /** A listener that is registered. The topic may carry messages of others, of any type. */
    private record Listening(ITopic<Object> topic, UUID registration) {}

    private static final char KEY = 'K';
    private static final char TIME = 'T';
    private static final char SEPARATOR = ':';
    private static final Pattern KEY_AND_RECORD = Pattern.compile("K(\\d{1,9}):(.*)", Pattern.DOTALL);

    private final HazelcastInstance instance;
    private final String name;
    private final BiConsumer<String, MapRecord> changed;
    private final ClusterClock clock = new ClusterClock(Ticker.system(), this::askTime);
    private final Lock guard = new ReentrantLock();
    private volatile @Nullable CompletableFuture<Listening> listening;
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
        return listening() != null;
    }

    private @Nullable Listening listening() {
        CompletableFuture<Listening> known = listening;
        return known != null && known.state() == Future.State.SUCCESS ? known.resultNow() : null;
    }

    /**
     * Listens, from the first call on. Takes round trips to all members. After {@link #close} it only listens for as long as it takes to
     * learn the time, if that is not known: the leases that are left must still be renewed and released.
     */
    void start(LimitedCalls calls, long deadline) throws StoreException {
        if (isListening() || (closed && clock.isKnown())) {
            return;
        }
        try {
            calls.run(deadline, () -> await(listen()));
            if (closed) {
                ClusterClock.Moment unused = clock.now(deadline);
            }
        } finally {
            stopIfClosed();
        }
    }

    /** Starts to listen in the background: a caller that gives up must not leave a listener behind that nobody knows. */
    private CompletableFuture<Listening> listen() {
        guard.lock();
        try {
            CompletableFuture<Listening> known = listening;
            if (known != null && !known.isCompletedExceptionally()) {
                return known;
            }
            CompletableFuture<Listening> fresh = new CompletableFuture<>();
            Threads.execute(() -> register(fresh));
            listening = fresh;
            return fresh;
        } finally {
            guard.unlock();
        }
    }

    private void register(CompletableFuture<Listening> fresh) {
        try {
            ITopic<Object> topic = instance.getTopic(name);
            UUID registration = topic.addMessageListener(
                    message -> received(message.getMessageObject(), message.getPublishTime()));
            fresh.complete(new Listening(topic, registration));
        } catch (Throwable e) {
            fresh.completeExceptionally(e);
        }
    }

    private static Listening await(Future<Listening> started) throws Exception {
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Tells all nodes what the record of the key is now. */
    void tell(String key, MapRecord record) {
        publish(KEY + Integer.toString(key.length()) + SEPARATOR + key + record.text());
    }

    private void askTime(String message) {
        publish(TIME + message);
    }

    private void publish(String message) {
        Listening known = listening();
        if (known == null) {
            return;
        }
        try {
            known.topic.publishAsync(message).whenComplete((done, e) -> {
                if (e != null) {
                    Log.debug("A message to the topic " + name + " was lost", e);
                }
            });
        } catch (RuntimeException e) {
            Log.debug("A message to the topic " + name + " was not sent", e);
        }
    }

    /** Receives a message, with the time of the member that passed it on. Messages that are not ours change nothing. */
    void received(Object message, long millis) {
        if (!(message instanceof String text) || text.isEmpty()) {
            return;
        }
        if (text.charAt(0) == TIME) {
            clock.answered(text.substring(1), millis);
            return;
        }
        Matcher matcher = KEY_AND_RECORD.matcher(text);
        if (matcher.matches()) {
            int length = Integer.parseInt(matcher.group(1));
            String rest = matcher.group(2);
            if (length <= rest.length()) {
                String key = rest.substring(0, length);
                MapRecord.parse(key, rest.substring(length)).ifPresent(record -> changed.accept(key, record));
            }
        }
    }

    /** Makes it start at the next call, after it was closed. */
    void open() {
        closed = false;
    }

    /** Ends it, in the background, because it takes round trips. */
    void close() {
        closed = true;
        stopIfClosed();
    }

    private void stopIfClosed() {
        if (!closed) {
            return;
        }
        guard.lock();
        try {
            CompletableFuture<Listening> known = listening;
            listening = null;
            if (known != null) {
                CompletableFuture<Void> unused =
                        known.thenAcceptAsync(this::stop, Threads::executeOrRun);
            }
        } finally {
            guard.unlock();
        }
    }

    private void stop(Listening known) {
        try {
            known.topic.removeMessageListener(known.registration);
        } catch (RuntimeException e) {
            Log.debug("Could not stop listening to the topic " + name, e);
        }
    }
}
