// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxMeters.Count;
import com.github.reservation.internal.outbox.OutboxStore.Attempt;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Records what became of the events of one listener. If the store fails, the same can be recorded again. */
final class Outcomes {

    private final OutboxPlan plan;
    private final Retries retries;
    private final LookTimes looks;
    private final String listener;
    private final String owner;
    private int deliveries;

    Outcomes(OutboxPlan plan, Retries retries, LookTimes looks, String listener, String owner) {
        this.plan = plan;
        this.retries = retries;
        this.looks = looks;
        this.listener = listener;
        this.owner = owner;
    }

    /** Returns how many deliveries are recorded. */
    int delivered() {
        return deliveries;
    }

    /**
     * Records what became of a page, and removes each group that is settled from the lane. A group that is not over is slow: the event
     * that it delivers gets a lease of its own. If the store fails, the groups that are left can be settled again.
     *
     * @param slow gets the slow groups
     */
    void settle(OpenLane lane, List<SlowGroup> slow) throws StoreException {
        List<KeyGroup> groups = lane.groups();
        List<StoredEvent> done = new ArrayList<>();
        List<KeyGroup> over = new ArrayList<>();
        Map<KeyGroup, Integer> running = new LinkedHashMap<>();
        Map<KeyGroup, Integer> delivered = new LinkedHashMap<>();
        for (KeyGroup group : groups) {
            if (group.isOver() || group.takeBack()) {
                over.add(group);
                delivered.put(group, group.delivered());
            } else {
                int index = group.stop();
                running.put(group, index);
                delivered.put(group, index);
            }
        }
        delivered.forEach((group, count) -> done.addAll(group.unrecorded(count)));
        complete(done, () -> lane.trustedUntil() - plan.ticker().nanos() > 0);
        delivered.forEach(KeyGroup::recorded);
        for (Map.Entry<KeyGroup, Integer> one : running.entrySet()) {
            if (one.getValue() < one.getKey().size()) {
                slow.add(hold(one.getKey(), one.getValue()));
            }
            groups.remove(one.getKey());
        }
        for (KeyGroup group : over) {
            if (group.failed().isPresent()) {
                fail(group.failed().get());
            }
            groups.remove(group);
        }
    }

    /** The attempt counts already: if the process dies of it, that is recorded. */
    private SlowGroup hold(KeyGroup group, int index) throws StoreException {
        long start = plan.ticker().nanos();
        Attempt attempt = next(group.event(index));
        boolean ours = retries.repeated(() -> plan.store().hold(listener, attempt, plan.leaseTime()));
        SlowGroup slow = new SlowGroup(group, index, start, plan.leaseTime());
        note(slow, start, ours);
        return slow;
    }

    private Attempt next(StoredEvent event) {
        return new Attempt(event, event.attempts() + 1, owner);
    }

    /** Extends the lease of a slow group. If another instance has it by now, the group has lost it. */
    void renew(SlowGroup slow) throws StoreException {
        long start = plan.ticker().nanos();
        note(slow, start, retries.repeated(
                () -> plan.store().renewHold(listener, slow.event().id(), owner, plan.leaseTime())));
    }

    private void note(SlowGroup slow, long start, boolean ours) {
        slow.renewed(start, ours);
        if (!ours) {
            Log.warn("Listener " + listener + " runs for " + slow.event() + ", but has lost its lease:"
                    + " unless the event was discarded, another instance may deliver it as well", null);
        }
    }

    /** Records what became of a slow group that is over. */
    void finish(SlowGroup slow) throws StoreException {
        KeyGroup group = slow.group();
        if (group.delivered() > slow.index()) {
            complete(List.of(slow.event()), () -> false); // Its hold may be lost.
        } else if (!slow.isLost() && group.failed().isPresent()) {
            fail(group.failed().get());
        } else if (!slow.isLost()) { // It was stopped right before this event.
            retries.repeated(() -> {
                plan.store().undoHold(listener, slow.event().id(), owner);
                return true;
            });
        }
    }

    private void complete(List<StoredEvent> events, BooleanSupplier alone) throws StoreException {
        if (events.isEmpty()) {
            return;
        }
        retries.repeated(() -> {
            plan.store().complete(listener, events, alone.getAsBoolean());
            return true;
        });
        deliveries += events.size();
        plan.meters().count(Count.DELIVERED, listener, events.size());
    }

    private void fail(KeyGroup.Failed failed) throws StoreException {
        Attempt attempt = next(failed.event());
        String error = ErrorText.of(failed.cause());
        Duration pause = plan.pauseAfter(attempt.attempts());
        if (attempt.attempts() >= plan.maxAttempts()) {
            park(attempt, error, failed.cause());
        } else if (retries.repeated(() -> plan.store().fail(listener, attempt, pause, error))) {
            looks.expectAfter(pause);
            plan.meters().count(Count.FAILED, listener, 1);
            Log.debug("Listener " + listener + " failed with " + attempt.event() + ", attempt " + attempt.attempts(),
                    failed.cause());
        }
    }

    /** Parks an event whose last attempt did not come back: its listener may be what ends the process. */
    void parkUnfinished(StoredEvent event) throws StoreException {
        park(new Attempt(event, event.attempts(), owner), "The last attempt did not come back", null);
    }

    /** Nothing to say if another instance has the event by now, or if it was discarded. */
    private void park(Attempt attempt, String error, @Nullable Throwable cause) throws StoreException {
        if (retries.repeated(() -> plan.store().park(listener, attempt, error))) {
            plan.meters().count(Count.FAILED, listener, 1);
            plan.meters().count(Count.PARKED, listener, 1);
            Log.warn("Listener " + listener + " failed " + attempt.attempts() + " times with " + attempt.event()
                    + ", which is parked now; later events of its key wait for retry or discard", cause);
        }
    }
}
