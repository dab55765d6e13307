// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.lease.HeldLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a listener learns of the reservations and locks of a manager. */
class ReservationListenerTest extends OnOrders {

    private final List<String> events = new CopyOnWriteArrayList<>();

    private final class Recorder implements ReservationListener {

        @Override
        public void onAcquired(ReservationEvent event) {
            events.add("acquired " + event.identifier());
        }

        @Override
        public void onRefused(ReservationEvent event) {
            events.add("refused " + event.identifier());
        }

        @Override
        public void onRenewed(ReservationEvent event) {
            events.add("renewed " + event.identifier());
        }

        @Override
        public void onReleased(ReservationEvent event) {
            events.add("released " + event.identifier() + " after " + event.elapsed());
        }

        @Override
        public void onLost(LostReservation lost) {
            events.add("lost " + lost.identifier() + " " + lost.reason());
        }
    }

    private void awaitEvents(String... expected) {
        await().untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    @Test
    void theLifeOfAReservationIsReportedInOrder() {
        manager.onEvent(new Recorder());

        reservation.lock();
        reservation.lock();
        ticker.advance(Duration.ofSeconds(3));
        reservation.unlock();
        reservation.unlock();

        awaitEvents("acquired 42", "renewed 42", "released 42 after PT3S");
    }

    @Test
    void theLifeOfALockIsReportedInOrder() throws Exception {
        manager.onEvent(new Recorder());

        HeldLock lock = manager.acquire("43");
        lock.renew();
        lock.close();

        awaitEvents("acquired 43", "renewed 43", "released 43 after PT0S");
    }

    @Test
    void aRefusalAndALossAreReported() {
        manager.onEvent(new Recorder());
        try (ReservationManager other =
                ReservationManager.inMemory(store).domain("orders").build()) {
            other.getReservation("42").lock();

            assertThat(reservation.tryLock()).isFalse();
        }
        manager.getReservation("43").lock();
        manager.getReservation("43").forceUnlock();

        awaitEvents("refused 42", "acquired 43", "lost 43 FORCED");
    }

    @Test
    void aListenerThatBlocksOrThrowsHarmsNothing() {
        CountDownLatch never = new CountDownLatch(1);
        manager.onEvent(new ReservationListener() {
            @Override
            public void onAcquired(ReservationEvent event) {
                Actor.awaitUninterruptibly(never);
            }
        });
        manager.onEvent(new ReservationListener() {
            @Override
            public void onAcquired(ReservationEvent event) {
                throw new IllegalStateException("Thrown by a listener");
            }
        });
        manager.onEvent(new Recorder());

        reservation.lock();
        reservation.unlock();

        awaitEvents("acquired 42", "released 42 after PT0S");
        never.countDown();
    }

    @Test
    void aListenerThatIsTooSlowLosesEventsAndNothingElse() {
        CountDownLatch never = new CountDownLatch(1);
        List<String> seen = new CopyOnWriteArrayList<>();
        manager.onEvent(new ReservationListener() {
            @Override
            public void onAcquired(ReservationEvent event) {
                Actor.awaitUninterruptibly(never);
                seen.add(event.identifier());
            }
        });

        for (int i = 0; i < 12_000; i++) {
            reservation.lock();
            reservation.unlock();
        }
        never.countDown();

        await().until(() -> seen.size() >= 5_000);
        assertThat(seen.size()).isLessThan(10_000);
    }

    @Test
    void aListenerThatWasRemovedIsNotCalled() {
        Registration removed = manager.onEvent(new Recorder());
        removed.close();
        removed.close();
        manager.onEvent(new Recorder());

        reservation.lock();

        awaitEvents("acquired 42");
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> manager.onEvent(null)).isInstanceOf(NullPointerException.class);
    }
}
