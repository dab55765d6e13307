// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.store.StoreException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one manager that wait, first come first served for each key. Only the head of a key's queue asks the
 * store; it does so even while a thread of this manager holds the key, so the queue itself never refuses a thread.
 *
 * <p>A key has an entry only while a thread waits for it, and unrelated keys never meet. Nothing here blocks: the sets
 * are touched inside {@code compute}, for a few instructions at a time.
 */
public final class LocalQueue {

    private final Node node;
    private final ConcurrentHashMap<String, Set<Waiter>> waiting = new ConcurrentHashMap<>();

    /** Creates the queue of a manager whose holders are named after {@code label}; null for host and process id. */
    public LocalQueue(@Nullable String label) {
        this.node = new Node(label);
    }

    /** Returns this manager, as the store sees it among the nodes that wait. */
    public Node node() {
        return node;
    }

    /** Puts the thread at the end of the queue; if the queue was empty, the thread is the head and asks at once. */
    Waiter enter(String key, Thread thread, long now) {
        Waiter waiter = new Waiter(key, thread);
        waiting.compute(key, (k, queue) -> {
            if (queue == null) {
                waiter.becomeHead(now);
                return Set.of(waiter); // Most have the key to themselves.
            }
            Set<Waiter> joined = queue.size() == 1 ? new LinkedHashSet<>(queue) : queue;
            joined.add(waiter);
            return joined;
        });
        return waiter;
    }

    /** Takes out a waiter that got the key. The next one asks at {@code nextAsks} unless it is handed the key before. */
    void leaveWithKey(Waiter waiter, long nextAsks) {
        leave(waiter, next -> next.becomeHead(nextAsks));
    }

    /**
     * Takes out a waiter that gave up; if it was the head, the next one goes on in its place.
     *
     * @return whether no thread waits for the key any more
     */
    boolean leaveWithoutKey(Waiter waiter) {
        return leave(waiter, next -> next.takeOverFrom(waiter));
    }

    private boolean leave(Waiter waiter, Consumer<Waiter> succession) {
        return waiting.computeIfPresent(waiter.key, (k, queue) -> {
            if (queue.size() == 1) {
                return null;
            }
            queue.remove(waiter);
            if (waiter.isHead()) {
                succession.accept(first(queue));
            }
            return queue;
        }) == null;
    }

    /** Makes the head ask now: the key is free, or may be. */
    public void wake(String key) {
        withHead(key, Waiter::wake);
    }

    /**
     * Notes that the store is about to put this node in line for the key, so that the last waiter gives up the place whenever it leaves.
     *
     * @return whether the node may have had a place before
     */
    boolean stayInLine(String key) {
        AtomicBoolean before = new AtomicBoolean();
        withHead(key, head -> before.set(head.stayInLine()));
        return before.get();
    }

    /** Makes the head ask now: a thread of this manager released the key, and perhaps put this node in line for it. */
    void wakeAfterRelease(String key, @Nullable Long nodeHasItSince) {
        withHead(key, head -> head.wakeAfterRelease(nodeHasItSince));
    }

    /** Makes the head look at that time: a thread of this manager released the key, and other nodes waited for it. */
    void lookAfterRelease(String key, @Nullable Long nodeHasItSince, long time) {
        withHead(key, head -> head.lookAfterRelease(nodeHasItSince, time));
    }

    /** Makes every waiter look at the state of its manager. */
    public void wakeAll() {
        waiting.forEach((key, queue) -> waiting.computeIfPresent(key, (k, waiters) -> {
            waiters.forEach(Waiter::wake);
            return waiters;
        }));
    }

    /** Returns the head of the queue; by the time the caller looks, it may have left. */
    @Nullable Waiter head(String key) {
        AtomicReference<@Nullable Waiter> head = new AtomicReference<>();
        withHead(key, head::set);
        return head.get();
    }

    /** Returns why the head has no answer of the store; null if it has one, or has not asked. */
    @Nullable StoreException failure(String key) {
        Waiter head = head(key);
        return head == null ? null : head.failure();
    }

    /** Does something to the head, if there is one, before the queue can change. */
    private void withHead(String key, Consumer<Waiter> action) {
        waiting.computeIfPresent(key, (k, queue) -> {
            action.accept(first(queue));
            return queue;
        });
    }

    private static Waiter first(Set<Waiter> queue) {
        return queue.iterator().next();
    }

    boolean hasWaiters(String key) {
        return waiting.containsKey(key);
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns how many threads wait. */
    public int size() {
        return waiting.keySet().stream().mapToInt(this::size).sum();
    }

    /** Returns how many threads wait for the key. */
    public int size(String key) {
        AtomicInteger size = new AtomicInteger();
        waiting.computeIfPresent(key, (k, queue) -> {
            size.set(queue.size());
            return queue;
        });
        return size.get();
    }
}
