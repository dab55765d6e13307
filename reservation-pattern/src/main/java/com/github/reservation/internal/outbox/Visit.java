// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.internal.outbox.OutboxStore.OwnLane;
import com.github.reservation.internal.outbox.OutboxStore.StoredPage;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one lane: it leases the lane, reads a page of events, calls the listener with one after another, records what became of
 * them, and gives the lane back. It goes on with the next page for a second, then it is another lane's turn.
 *
 * <p>Meanwhile the {@link Courier} beats, on its own thread. If a key of a shared lane delays others, it gives that key a lane of its own
 * and the shared lane back: the worker goes on with that key alone. It extends the lease of a key's lane as long as the listener runs.
 */
final class Visit {

    private static final long TURN = Duration.ofSeconds(1).toNanos();

    private final Courier courier;
    private final OutboxPlan plan;
    private final OutboxStore store;
    private final String listener;
    private final Outcomes outcomes;
    private final int shared;
    private final Page page = new Page();
    private volatile @Nullable Thread worker;
    private volatile boolean over;

    /** The key whose own lane this is; null as long as it is a shared lane. */
    private volatile @Nullable String keyId;

    private volatile long takenAt;
    private volatile long renewedAt;

    /** Held while outcomes are recorded: by the worker, or by the courier. */
    private final ReentrantLock recording = new ReentrantLock();

    private volatile boolean ownsShared;

    /** Whether the lease of the key has ended. */
    private volatile boolean ended;

    private Visit(Courier courier, int shared, @Nullable String keyId) {
        this.courier = courier;
        this.plan = courier.plan();
        this.store = plan.store();
        this.listener = courier.listener();
        this.outcomes = courier.outcomes();
        this.shared = shared;
        this.keyId = keyId;
    }

    static Visit toLane(Courier courier, int shared) {
        return new Visit(courier, shared, null);
    }

    static Visit toKey(Courier courier, String keyId) {
        return new Visit(courier, -1, keyId);
    }

    boolean isToLane(int number) {
        return !over && shared == number && (keyId == null || ownsShared);
    }

    boolean isToKey(String key) {
        return !over && key.equals(keyId);
    }

    /** Notes that the worker is through with the lane, or has given up. */
    void end() {
        over = true;
    }

    boolean isOn(Thread thread) {
        return thread.equals(worker);
    }

    /** Returns whether one delivery takes long. */
    boolean isSlow() {
        return page.isSlow(now());
    }

    private long now() {
        return plan.ticker().nanos();
    }

    /**
     * Delivers on the calling thread; returns whether the lane was free.
     *
     * @throws StoreException if the store failed, and the courier gives up
     */
    boolean run() throws StoreException {
        worker = Thread.currentThread();
        renewedAt = now();
        OwnLane lane = new OwnLane(shared, 0, 1);
        String key = keyId;
        if (key == null) {
            ownsShared = outcomes.ask(() -> store.take(listener, shared, courier.owner(), plan.leaseTime()));
            if (!ownsShared) {
                return false;
            }
        } else {
            Optional<OwnLane> own =
                    outcomes.ask(() -> store.takeKey(listener, key, courier.owner(), plan.leaseTime()));
            if (own.isEmpty()) {
                return false;
            }
            lane = own.get();
        }
        deliver(lane);
        return true;
    }

    private void deliver(OwnLane lane) throws StoreException {
        read(lane);
        takenAt = now(); // What other workers do with the connection takes no time from this one.
        deliverPage();
        while (settle()) {
            read(lane);
            deliverPage();
        }
    }

    private void deliverPage() {
        StoredEvent event = next();
        while (event != null) {
            page.over(deliver(event));
            event = next();
        }
    }

    /** Reads the next page. Events of keys that have their own lanes by now move there. */
    private void read(OwnLane lane) throws StoreException {
        StoredPage stored = outcomes.ask(() -> store.read(listener, lane.lane(), plan.pageBytes()));
        List<StoredEvent> read = stored.events();
        Set<String> elsewhere = keyId == null && !read.isEmpty()
                ? outcomes.ask(() -> store.withOwnLane(
                        listener, read.stream().map(StoredEvent::keyId).distinct().toList()))
                : Set.of();
        if (!elsewhere.isEmpty()) {
            outcomes.tell(() -> store.move(
                    listener, read.stream().filter(event -> elsewhere.contains(event.keyId())).toList()));
        }
        page.turnTo(
                read.stream().filter(event -> !elsewhere.contains(event.keyId())).toList(),
                stored.mayHaveMore());
        if (!read.isEmpty() && read.getFirst().id() == lane.head()) {
            page.tried(lane.attempts(), plan.retry().mostAttempts());
        }
    }

    private @Nullable StoredEvent next() {
        long now = now();
        return page.next(now, hasTime(now));
    }

    private boolean hasTime(long now) {
        return !courier.isStopping() && !ended && now - takenAt < TURN
                && now - renewedAt < plan.leaseTime().dividedBy(2).toNanos();
    }

    /** Returns what the listener threw. */
    private @Nullable Throwable deliver(StoredEvent event) {
        Throwable cause = null;
        try {
            courier.subscriber().deliver(event, page.attempts());
        } catch (Throwable e) {
            cause = e;
        }
        courier.afterDelivery(cause);
        return cause;
    }

    /** Records what became of the page, and gives the lane back, unless it is read again: then it returns true. */
    private boolean settle() throws StoreException {
        recording.lock();
        try {
            record();
            if (page.hasMoreToRead() && hasTime(now())) {
                return true;
            }
            String key = keyId;
            if (key != null && !ended) {
                outcomes.insist(() -> store.leave(listener, key, courier.owner(), page.attemptsLeft()));
            }
            releaseShared();
            return false;
        } finally {
            recording.unlock();
        }
    }

    private void releaseShared() throws StoreException {
        if (ownsShared) {
            outcomes.insist(() -> store.release(listener, shared, courier.owner()));
            ownsShared = false;
            courier.looks().expectMore(); // Before a key that was set apart is through: then its lane is closed.
        }
    }

    /** Records what was received, and what failed. If the store fails, the same can be recorded again. */
    private void record() throws StoreException {
        recordReceived();
        for (Page.Failed one : page.failed()) {
            KeyState state = outcomes.failed(one);
            boolean recorded =
                    keyId == null ? outcomes.open(shared, one.rest(), state) : outcomes.record(one.head(), state);
            ended = keyId != null;
            page.recordedFailed();
            if (recorded) {
                outcomes.report(one, state);
            }
        }
    }

    private void recordReceived() throws StoreException {
        List<StoredEvent> events = page.received();
        outcomes.complete(events);
        page.recordedReceived(events.size());
    }

    /** Lets no lane wait for a key, and no lease end. For the thread of the courier. */
    void beat() throws StoreException {
        if (delays() || isToBeRenewed()) {
            if (recording.tryLock()) {
                try {
                    if (delays()) { // Not over meanwhile.
                        setApart();
                    } else if (keyId != null) {
                        renew();
                    }
                    if (keyId != null) {
                        releaseShared();
                    }
                } finally {
                    recording.unlock();
                }
            }
        }
    }

    private boolean delays() {
        return keyId == null && page.delays(now(), courier::hasFreeWorkers);
    }

    /** The attempt counts already: if the process dies of it, that is recorded. */
    private void setApart() throws StoreException {
        List<StoredEvent> rest = page.keepCurrentKey();
        if (!rest.isEmpty()) {
            record();
            long start = now();
            boolean ours = outcomes.open(shared, rest, outcomes.underWay(rest.getFirst(), 1));
            keyId = rest.getFirst().keyId();
            note(ours, start);
        }
    }

    private boolean isToBeRenewed() {
        long third = plan.leaseTime().dividedBy(3).toNanos();
        return keyId != null && (ownsShared
                || (!ended && now() - renewedAt >= (page.received().isEmpty() ? third : Math.min(Page.SLOW, third))));
    }

    /** Extends the lease of a key, and records what was received. */
    private void renew() throws StoreException {
        long start = now();
        Optional<StoredEvent> head = page.current();
        if (head.isPresent() && !ended) {
            note(outcomes.record(head.get(), outcomes.underWay(head.get(), page.attempts())), start);
        }
        recordReceived();
    }

    private void note(boolean ours, long start) {
        if (ours) {
            renewedAt = start;
        } else {
            ended = true;
            Log.warn("Listener " + listener + " runs for an event, but has lost its lease:"
                    + " unless the listener was forgotten, another instance may deliver it as well", null);
        }
    }
}
