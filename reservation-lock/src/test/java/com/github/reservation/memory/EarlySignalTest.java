// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.internal.memory.MemoryLeaseStore;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store tells of a loss before the core knows of the hold: between the grant and its return. */
class EarlySignalTest {

    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private final InMemoryBackend backend = new InMemoryBackend();
    private final MemoryLeaseStore leases = (MemoryLeaseStore) backend.store();
    private final ScriptedStore store = new ScriptedStore(leases);
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeEach
    void open() {
        manager = backend.node("orders", Duration.ofSeconds(10), store);
        manager.onLost(told::add);
        reservation = manager.getReservation("42");
    }

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void itIsNotMissed() {
        store.next(Op.ACQUIRE, true, () -> leases.end(reservation.getReservationKey(), LossReason.DISCONNECTED));

        reservation.lock();

        assertLost();
    }

    @Test
    void itIsNotMissedIfTheStoreDoesNotAnswerThen() {
        store.next(Op.ACQUIRE, true, () -> {
            leases.end(reservation.getReservationKey(), LossReason.DISCONNECTED);
            store.goDown(Kind.UNAVAILABLE);
        });

        reservation.lock();

        assertLost();
    }

    @Test
    void itIsNotTakenForALossOfAnother() {
        Reservation other = manager.getReservation("43");
        other.lock();
        store.next(Op.ACQUIRE, true, () -> leases.end(other.getReservationKey(), LossReason.DISCONNECTED));

        reservation.lock();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
        Awaitility.await().until(() -> !told.isEmpty());
        assertThat(told).singleElement().extracting(LostReservation::identifier).isEqualTo("43");
        int looks = store.calls(Op.FIND);
        reservation.lock();
        assertThat(store.calls(Op.FIND)).as("an old signal costs nothing").isEqualTo(looks);
    }

    private void assertLost() {
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        Awaitility.await().until(() -> !told.isEmpty());
        assertThat(told).singleElement().extracting(LostReservation::reason).isEqualTo(LossReason.DISCONNECTED);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }
}
