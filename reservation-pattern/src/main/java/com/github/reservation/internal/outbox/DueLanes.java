// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxStore.DueKey;
import com.github.reservation.store.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;

/**
 * Finds the lanes of a listener that a worker may visit: first keys with lanes of their own, then the shared lanes that have deliveries, and
 * then it looks again. Only for the thread of the {@link Courier}.
 */
final class DueLanes {

    /** How many keys are found at once, and as many more as there are workers: what they deliver is found again if its lease is lost. */
    private static final int KEYS_PER_LOOK = 16;

    private final Courier courier;
    private final OutboxPlan plan;
    private final Retries retries;
    private final int workers;

    /** What the last look found and nobody has visited yet: keys, and the shared lanes from one on. */
    private final Deque<String> dueKeys = new ArrayDeque<>();

    private int nextLane = OutboxStore.LANES;
    private boolean looked;

    /** Whether more keys may be due than were found, and how many shared lanes were visited since. */
    private boolean moreKeys;

    private int lanesSinceKeys;

    DueLanes(Courier courier, Retries retries, int workers) {
        this.courier = courier;
        this.plan = courier.plan();
        this.retries = retries;
        this.workers = workers;
    }

    /** Returns whether all that the last look found was visited, and no other look is wanted. */
    boolean isIdle() {
        return looked && dueKeys.isEmpty() && nextLane >= OutboxStore.LANES && !courier.looks().isWanted();
    }

    /** Sends a worker to the next lane, or looks for one, with one call to the store; returns whether there was something to do. */
    boolean next() throws StoreException {
        String keyId = dueKeys.poll();
        if (keyId != null) {
            courier.begin(Visit.toKey(courier, keyId));
        } else if (moreKeys && lanesSinceKeys >= workers) {
            findKeys(); // Else many of them would wait for all shared lanes, again and again.
        } else if (nextLane < OutboxStore.LANES) {
            openLane();
        } else if (courier.looks().begin()) {
            findKeys();
            nextLane = 0;
            looked = true;
        } else {
            return false;
        }
        return true;
    }

    private void findKeys() throws StoreException {
        int limit = workers + KEYS_PER_LOOK;
        for (DueKey key : retries.repeated(() -> plan.store().nextKeys(courier.listener(), limit))) {
            if (key.isDue()) {
                dueKeys.add(key.keyId());
            } else {
                courier.looks().expectAfter(key.dueIn());
            }
        }
        moreKeys = dueKeys.size() == limit;
        lanesSinceKeys = 0;
    }

    private void openLane() throws StoreException {
        OptionalInt found = retries.repeated(() -> plan.store().nextLane(courier.listener(), nextLane));
        nextLane = 1 + found.orElse(OutboxStore.LANES);
        if (found.isPresent()) {
            lanesSinceKeys++;
            courier.begin(Visit.toLane(courier, found.getAsInt()));
        }
    }
}
