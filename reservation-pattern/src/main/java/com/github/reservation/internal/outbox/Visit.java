// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.RandomHex;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.internal.outbox.OutboxStore.OwnLane;
import com.github.reservation.internal.outbox.OutboxStore.StoredPage;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one lane: it leases the lane, reads a page of events, calls the listener with one after another, records what became of
 * them, and gives the lane back. It goes on with the next page for a second, then it is another lane's turn.
 *
 * <p>While the listener runs, the {@link Courier} beats, on its own thread. If a key of a shared lane delays others, it gives that key a
 * lane of its own and the shared lane back: the worker goes on with that key alone. It extends the lease of a key's lane as long as the
 * listener runs.
 */
final class Visit {

    private static final long TURN = Duration.ofSeconds(1).toNanos();

    /** A delivery that takes longer delays others. */
    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    private final Courier courier;
    private final OutboxPlan plan;
    private final OutboxStore store;
    private final String listener;
    private final Outcomes outcomes;

    /** Its leases have this name, and no others: a call that is repeated changes nothing that another visit has leased. */
    private final String owner = RandomHex.of(16);

    private final int shared;
    private volatile boolean ownsShared;
    private volatile @Nullable Thread worker;
    private volatile boolean over;

    /** Whether the listener runs, and since when. */
    private volatile boolean calling;

    private volatile long calledAt;

    /** The worker holds it, except while the listener runs; then the courier may, while it beats. What follows is guarded by it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Page page = new Page();

    /** The key whose own lane this is; null as long as it is a shared lane. Only the courier changes it. */
    private @Nullable String keyId;

    private long takenAt;
    private long renewedAt;

    /** The event of the key that the store knows to be tried. */
    private long knownHead;

    /** Whether the lease of the key has ended, or that of the shared lane was lost. */
    private boolean ended;

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

    /** Returns whether another visit, which goes on, is to the lane of this new one. For the thread of the courier. */
    boolean isToSameLane(Visit other) {
        return !other.over && (keyId == null
                ? other.shared == shared && (other.keyId == null || other.ownsShared)
                : keyId.equals(other.keyId));
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
        return calling && now() - calledAt >= SLOW;
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
        lock.lock();
        try {
            renewedAt = now();
            Optional<OwnLane> lane = take();
            if (lane.isPresent()) {
                knownHead = lane.get().head();
                deliver(lane.get());
            }
            return lane.isPresent();
        } finally {
            lock.unlock();
        }
    }

    /** A shared lane has no head. */
    private Optional<OwnLane> take() throws StoreException {
        String key = keyId;
        if (key != null) {
            return outcomes.ask(() -> store.takeKey(listener, key, owner, plan.leaseTime()));
        }
        ownsShared = outcomes.ask(() -> store.take(listener, shared, owner, plan.leaseTime()));
        return ownsShared ? Optional.of(new OwnLane(shared, 0, 1)) : Optional.empty();
    }

    private void deliver(OwnLane lane) throws StoreException {
        read(lane);
        takenAt = now(); // What other workers do with the connection takes no time from this one.
        deliverPage();
        while (page.hasMoreToRead() && hasTime(now())) {
            read(lane);
            deliverPage();
        }
        giveBack();
    }

    /** Reads the next page. Events of keys that have their own lanes by now move there. */
    private void read(OwnLane lane) throws StoreException {
        StoredPage read = outcomes.ask(() -> store.read(listener, lane.lane(), plan.pageBytes()));
        if (!read.elsewhere().isEmpty()) {
            outcomes.ask(() -> store.move(listener, read.elsewhere()));
        }
        page.turnTo(read.events(), read.mayHaveMore());
        if (!read.events().isEmpty() && read.events().getFirst().id() == knownHead) {
            begin(lane.attempts(), plan.retry().mostAttempts());
        }
    }

    /** What was tried too often fails without a call: it may be what ends processes. */
    private void begin(int attempts, int mostAttempts) throws StoreException {
        page.tried(Math.min(attempts, mostAttempts));
        if (attempts > mostAttempts) {
            fail(null);
        }
    }

    private void deliverPage() throws StoreException {
        for (StoredEvent event = next(); event != null; event = next()) {
            Throwable cause = deliver(event, page.attempts());
            if (cause == null) {
                page.receive(now() - calledAt);
            } else {
                fail(cause);
            }
        }
        recordReceived();
    }

    private @Nullable StoredEvent next() {
        calledAt = now();
        return hasTime(calledAt) ? page.next() : null;
    }

    private boolean hasTime(long now) {
        return !courier.isStopping() && !ended && now - takenAt < TURN
                && now - renewedAt < plan.leaseTime().dividedBy(2).toNanos();
    }

    /** Returns what the listener threw. */
    private @Nullable Throwable deliver(StoredEvent event, int attempt) {
        Throwable cause = null;
        calling = true;
        lock.unlock();
        try {
            courier.subscriber().deliver(event, attempt);
        } catch (Throwable e) {
            cause = e;
        } finally {
            lock.lock();
            calling = false;
        }
        courier.afterDelivery(cause);
        return cause;
    }

    /** Records that the current event failed, after what was received before it. The later events of its key wait with it. */
    private void fail(@Nullable Throwable cause) throws StoreException {
        recordReceived();
        KeyState state = outcomes.failed(page.current(), page.attempts(), cause);
        List<StoredEvent> waiting = page.dropCurrentKey();
        boolean recorded = keyId == null ? open(waiting, state) : record(waiting.getFirst(), state);
        ended = keyId != null || !recorded;
        outcomes.report(waiting.getFirst(), state, cause, recorded);
    }

    /** Gives a key of the shared lane its own lane; returns false if the shared lane is lost. */
    private boolean open(List<StoredEvent> events, KeyState state) throws StoreException {
        return outcomes.ask(() -> store.open(listener, shared, owner, events, state));
    }

    /** Changes the state of the key; returns false if its lease is lost. */
    private boolean record(StoredEvent head, KeyState state) throws StoreException {
        return outcomes.ask(() -> store.record(listener, head.keyId(), owner, state));
    }

    private void recordReceived() throws StoreException {
        outcomes.complete(page.received());
        page.received().clear();
    }

    private void giveBack() throws StoreException {
        String key = keyId;
        if (key != null && !ended) {
            outcomes.ask(() -> store.leave(listener, key, owner, page.attempts() - 1));
        }
        releaseShared();
    }

    private void releaseShared() throws StoreException {
        if (ownsShared) {
            outcomes.ask(() -> store.release(listener, shared, owner));
            ownsShared = false;
            courier.looks().ask(); // Before a key that was set apart is through: then its lane is closed.
        }
    }

    /** Lets no lane wait for a key, and no lease end. For the thread of the courier: while the listener does not run, it does nothing. */
    void beat() throws StoreException {
        if (lock.tryLock()) {
            try {
                if (calling) {
                    attend();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void attend() throws StoreException {
        long now = now();
        if (keyId != null) {
            if (isToBeRenewed(now)) {
                renew(now);
            }
        } else if (isSlow() || page.delays(now - calledAt, courier::hasFreeWorkers)) {
            setApart(now);
        }
        if (keyId != null) {
            releaseShared();
        }
    }

    /** The attempt counts already: if the process dies of it, that is recorded. */
    private void setApart(long now) throws StoreException {
        List<StoredEvent> rest = page.keepCurrentKey();
        recordReceived();
        boolean ours = open(rest, outcomes.underWay(rest.getFirst(), 1));
        keyId = rest.getFirst().keyId();
        knownHead = rest.getFirst().id();
        note(ours, now);
    }

    /** An event that takes long may be what ends processes: the store has to know that it was tried. */
    private boolean isToBeRenewed(long now) {
        long third = plan.leaseTime().dividedBy(3).toNanos();
        boolean isUnknown = isSlow() && page.current().id() != knownHead;
        return !ended
                && (isUnknown || now - renewedAt >= (page.received().isEmpty() ? third : Math.min(SLOW, third)));
    }

    /** Extends the lease of a key, and records what was received. */
    private void renew(long now) throws StoreException {
        note(record(page.current(), outcomes.underWay(page.current(), page.attempts())), now);
        knownHead = page.current().id();
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
