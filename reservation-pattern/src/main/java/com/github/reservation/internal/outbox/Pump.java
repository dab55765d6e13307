// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.RandomHex;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves the events of one listener from the store to the workers. All calls to the store are made on one thread:
 *
 * <ol>
 *   <li>It looks which lanes have an event that is due, and leases one after another as long as workers have nothing to do.
 *   <li>It reads a page of each, groups the events by key and hands the groups to the workers.
 *   <li>When all groups of a page are over, it records what became of the events, and reads the next page or gives the lane back.
 *   <li>A page is not waited for longer than a second. A group that nobody has begun is taken back. A group that is being delivered
 *       gets a lease for its own key, which is extended as long as the listener runs. So one slow delivery blocks its key alone.
 * </ol>
 *
 * <p>If the store fails, nothing is forgotten: the next step records the same outcomes again, and gives the lanes back that it may have
 * leased. A failure with one lane or key does not keep the others from going on.
 */
final class Pump {

    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    private final OutboxPlan plan;
    private final Subscriber<?> subscriber;
    private final KnownListeners listeners;
    private final Workers workers;
    private final Retries retries;
    private final Outcomes outcomes;
    private final LookTimes looks;
    private final String owner = RandomHex.of(16);
    private final Deque<Integer> lanes = new ArrayDeque<>();
    private final List<OpenLane> open = new ArrayList<>();
    private final List<SlowGroup> slow = new CopyOnWriteArrayList<>(); // So that a gauge can read its size.

    /** The lanes that this instance leases, or may lease: a call that failed may have been carried out. */
    private final Set<Integer> leased = new HashSet<>();

    private boolean foundNothing;

    /** Whether one of the lanes of the last look had something to do. */
    private boolean fruitful;

    private @Nullable StoreException failure;

    Pump(OutboxPlan plan, Retries retries, Subscriber<?> subscriber, KnownListeners listeners, Workers workers) {
        this.plan = plan;
        this.subscriber = subscriber;
        this.listeners = listeners;
        this.workers = workers;
        this.retries = retries;
        this.looks = new LookTimes(plan.ticker(), plan.pollInterval());
        this.outcomes = new Outcomes(plan, retries, looks, subscriber.id(), owner);
    }

    /** Lets the next step look for events. */
    void lookSoon() {
        looks.ask();
    }

    /** Returns whether the last look found nothing, and nothing is under way. */
    boolean isIdle() {
        return foundNothing && isEmpty();
    }

    /** Returns whether nothing is under way. */
    boolean isEmpty() {
        return open.isEmpty() && slow.isEmpty() && leased.isEmpty();
    }

    int delivered() {
        return outcomes.delivered();
    }

    /** Returns how many deliveries have been under way for long; for any thread. */
    int slow() {
        return slow.size();
    }

    /**
     * Does what can be done now. Leases are extended first.
     *
     * @param stopping whether nothing new is begun
     * @return whether it did something
     * @throws StoreException if it could do nothing because the store failed
     */
    boolean step(boolean stopping) throws StoreException {
        if (stopping) {
            workers.takeBack();
            lanes.clear();
            open.forEach(lane -> lane.groups().forEach(KeyGroup::stop));
        }
        failure = null;
        renewHolds();
        boolean progress = false;
        for (SlowGroup group : slow.stream().filter(one -> one.group().isOver()).toList()) {
            progress |= apart(() -> finish(group));
        }
        for (OpenLane lane : List.copyOf(open)) {
            if (lane.isOver() || plan.ticker().nanos() - lane.readAt() >= SLOW) {
                progress |= apart(() -> settle(lane, stopping));
                renewHolds();
            }
        }
        for (int lane : leftOver()) {
            progress |= apart(() -> release(lane));
        }
        if (!stopping) {
            progress |= apart(this::open);
        }
        StoreException failed = failure;
        if (failed != null && !progress) {
            throw failed;
        }
        return progress;
    }

    /** Runs a part of a step, whose failure must not end the step. Returns whether the part did something. */
    private boolean apart(Retries.Call<Boolean> part) {
        try {
            return part.run();
        } catch (StoreException e) {
            failure = failure == null ? e : failure;
            return false;
        }
    }

    private void renewHolds() {
        for (SlowGroup group : slow) {
            if (!group.group().isOver() && plan.ticker().nanos() - group.renewAt() >= 0) {
                apart(() -> {
                    outcomes.renew(group);
                    return true;
                });
            }
        }
    }

    private boolean finish(SlowGroup group) throws StoreException {
        outcomes.finish(group);
        looks.expectMore();
        return slow.remove(group);
    }

    private boolean settle(OpenLane lane, boolean stopping) throws StoreException {
        int before = slow.size();
        outcomes.settle(lane, slow);
        open.remove(lane);
        boolean more = lane.full() && slow.size() == before && !stopping;
        if (more && plan.ticker().nanos() - lane.takenAt() < SLOW) {
            read(lane.number(), lane.takenAt());
        } else {
            release(lane.number());
            looks.expectMore();
        }
        return true;
    }

    private List<Integer> leftOver() {
        return leased.stream().filter(lane -> open.stream().noneMatch(one -> one.number() == lane)).toList();
    }

    private boolean open() throws StoreException {
        listeners.register(retries);
        return workers.areHungry() && openNext();
    }

    /** Leases the next lane and reads a page of it; returns whether there was one to try. */
    private boolean openNext() throws StoreException {
        if (lanes.isEmpty()) {
            look();
        }
        if (lanes.isEmpty()) {
            return false;
        }
        int lane = lanes.remove();
        long takenAt = plan.ticker().nanos();
        leased.add(lane);
        if (retries.repeated(() -> plan.store().take(subscriber.id(), lane, owner, plan.leaseTime()))) {
            read(lane, takenAt);
        } else {
            leased.remove(lane);
            fruitful = true;
        }
        if (lanes.isEmpty() && !fruitful) {
            rest(takenAt);
        }
        return true;
    }

    private void look() throws StoreException {
        long start = plan.ticker().nanos();
        if (!looks.begin()) {
            return;
        }
        List<Integer> due = new ArrayList<>(dueLanes());
        due.removeAll(leased);
        Collections.shuffle(due); // So that instances begin with different lanes.
        lanes.addAll(due);
        foundNothing = false;
        fruitful = false;
        if (due.isEmpty()) {
            rest(start);
        }
    }

    /** A look that takes too long, because many events cannot be delivered, is cancelled. Then each lane is tried by itself. */
    private List<Integer> dueLanes() throws StoreException {
        try {
            return retries.repeated(() -> plan.store().dueLanes(subscriber.stored()));
        } catch (StoreException e) {
            if (e.kind() != Kind.OUTCOME_UNKNOWN) {
                throw e;
            }
            return IntStream.range(0, OutboxStore.LANES).boxed().toList();
        }
    }

    /** Pauses the looking, after a look since {@code start} that led to nothing. */
    private void rest(long start) {
        foundNothing = true;
        looks.pause(start);
    }

    private void read(int lane, long takenAt) throws StoreException {
        List<StoredEvent> page = retries.repeated(() -> plan.store().read(subscriber.id(), lane));
        Map<String, List<StoredEvent>> byKey = new LinkedHashMap<>();
        page.forEach(event -> byKey.computeIfAbsent(event.keyId(), key -> new ArrayList<>()).add(event));
        long trustedUntil = takenAt + plan.leaseTime().dividedBy(2).toNanos();
        List<KeyGroup> groups = new ArrayList<>();
        AtomicInteger left = new AtomicInteger();
        for (List<StoredEvent> events : byKey.values()) {
            List<StoredEvent> first = events.stream().takeWhile(this::isDeliverable).toList();
            if (!first.isEmpty()) {
                left.incrementAndGet();
                groups.add(new KeyGroup(first, left, trustedUntil, plan.ticker()));
            } else if (subscriber.knows(events.getFirst())) {
                outcomes.parkUnfinished(events.getFirst());
                fruitful = true;
            }
        }
        if (groups.isEmpty()) {
            release(lane);
            return;
        }
        fruitful = true;
        open.add(new OpenLane(
                lane, takenAt, trustedUntil, plan.ticker().nanos(), groups, page.size() == OutboxStore.PAGE));
        workers.addAll(groups);
    }

    /** The events of a key behind one that is not deliverable wait, too: for a newer instance, or for an operator. */
    private boolean isDeliverable(StoredEvent event) {
        return subscriber.knows(event) && event.attempts() < plan.maxAttempts();
    }

    private boolean release(int lane) throws StoreException {
        retries.repeated(() -> {
            plan.store().release(subscriber.id(), lane, owner);
            return true;
        });
        return leased.remove(lane);
    }

    /**
     * Returns until when there is nothing to do, unless a group is over before. For what is over already that is now: if the thread has
     * parked in the last step, to wait for a connection or to pause, that may have used up the signal.
     *
     * @param stopping whether nothing new is begun
     */
    long nextStepAt(boolean stopping) {
        long now = plan.ticker().nanos();
        long next = now + plan.pollInterval().toNanos();
        for (OpenLane lane : open) {
            next = earlier(next, lane.isOver() ? now : lane.readAt() + SLOW);
        }
        for (SlowGroup group : slow) {
            next = earlier(next, group.group().isOver() ? now : group.renewAt());
        }
        return !stopping && workers.areHungry() ? earlier(next, looks.next()) : next;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }
}
