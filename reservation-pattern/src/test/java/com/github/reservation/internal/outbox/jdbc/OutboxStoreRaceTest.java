// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.outbox.OutboxStart;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store of an outbox does when two instances do something at the same time. */
class OutboxStoreRaceTest extends OnOutboxStore {

    private static final int ROUNDS = 100;

    /** What one of two instances does. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    /** Runs both at once. As the engine does, repeats what failed only because of the other. */
    private static void atOnce(Step one, Step other) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            List<Future<?>> results = new ArrayList<>();
            for (Step step : List.of(one, other)) {
                results.add(both.submit((Callable<Void>) () -> {
                    start.await();
                    repeated(step);
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
    }

    private static void repeated(Step step) throws Exception {
        try {
            step.run();
        } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(Kind.CONTENTION);
            repeated(step);
        }
    }

    @Test
    void theLaterOfTwoListenersRemovesTheEvents() throws Exception {
        register(MAILER, TYPE);
        register(BILLING, TYPE);

        for (int round = 0; round < ROUNDS; round++) {
            append(KEY, "1", "2", "3");
            List<StoredEvent> events = read(MAILER, shared(KEY));

            atOnce(() -> store.complete(MAILER, events), () -> store.complete(BILLING, events));

            assertThat(count("") + count("_DELIVERIES")).isZero();
        }
    }

    /** Else a delivery would lie in a lane that nobody reads. */
    @Test
    void aDeliveryIsMovedBeforeItsLaneIsClosedOrNotAtAll() throws Exception {
        register(MAILER, TYPE);

        for (int round = 0; round < ROUNDS; round++) {
            append(KEY, "1");
            long lane = open(KEY, underWay(1, 1));
            store.complete(MAILER, read(MAILER, lane));
            append(KEY, "2");
            List<StoredEvent> late = store.read(MAILER, shared(KEY), BUDGET).elsewhere();

            atOnce(() -> store.move(MAILER, late), () -> store.leave(MAILER, KeyIds.of(KEY), ME, 0));

            assertThat(payloads(MAILER, hasOwnLane(MAILER, KEY) ? lane : shared(KEY))).containsExactly("2");
            store.complete(MAILER, late);
            store.takeKey(MAILER, KeyIds.of(KEY), ME, LEASE);
            store.leave(MAILER, KeyIds.of(KEY), ME, 0);
        }
    }

    /** The listener was forgotten while a worker moves what was appended before, and committed later. */
    @Test
    void aDeliveryIsMovedBeforeItsKeyIsForgottenOrNotAtAll() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            register(MAILER, TYPE);
            append(KEY, "1");
            long lane = open(KEY, underWay(1, 1));
            store.complete(MAILER, read(MAILER, lane));
            append(KEY, "2");
            List<StoredEvent> late = store.read(MAILER, shared(KEY), BUDGET).elsewhere();
            store.unregister(MAILER, Optional.empty(), Optional.empty());

            atOnce(() -> store.move(MAILER, late), () -> store.removeLanes(MAILER));

            assertThat(payloads(MAILER, hasOwnLane(MAILER, KEY) ? lane : shared(KEY))).containsExactly("2");
            store.complete(MAILER, late);
            store.removeLanes(MAILER);
            assertThat(count("_KEYS")).isZero();
        }
    }

    @Test
    void aListenerIsRegisteredOnce() throws Exception {
        for (int round = 0; round < ROUNDS / 10; round++) {
            String listener = "listener-" + round;

            atOnce(() -> register(listener, "a", "b"), () -> register(listener, "b", "a", "c"));

            assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX_LISTENERS WHERE listener_id = '"
                    + listener + "'")).isEqualTo("3");
            assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX_LANES WHERE listener_id = '"
                    + listener + "'")).isEqualTo("64");
        }
    }

    /** A statement that waits for the row of another knows an earlier time: the lease that it meets looks as if it ended too late. */
    @Test
    void aSharedLaneIsLeasedByOne() throws Exception {
        register(MAILER, TYPE);

        for (int round = 0; round < 10 * ROUNDS; round++) {
            List<String> owners = new CopyOnWriteArrayList<>();

            atOnce(() -> take(ME, owners), () -> take(OTHER, owners));

            assertThat(owners).hasSize(1);
            store.release(MAILER, 0, owners.getFirst());
        }
    }

    private void take(String owner, List<String> owners) throws StoreException {
        if (store.take(MAILER, 0, owner, LEASE)) {
            owners.add(owner);
        }
    }

    @Test
    void aRegistrationLeavesAKeyToWhoLeasesItMeanwhile() throws Exception {
        register(MAILER, TYPE);
        append(KEY, "1");
        open(KEY, failed(1, 1, Duration.ZERO));

        for (int round = 0; round < 10 * ROUNDS; round++) {
            atOnce(
                    () -> assertThat(store.takeKey(MAILER, KeyIds.of(KEY), ME, LEASE)).isPresent(),
                    () -> store.register(new Listener(MAILER, List.of(TYPE), OutboxStart.NEW_EVENTS)));

            assertThat(store.takeKey(MAILER, KeyIds.of(KEY), OTHER, LEASE)).isEmpty();
            store.leave(MAILER, KeyIds.of(KEY), ME, 0);
        }
    }
}
