// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mockStatic;

import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.lock.HoldTable.Hold;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** What the core remembers, what it forgets, and how its parts are put together. */
class CoreTest extends InManualTime {

    private final ManagerSettings settings =
            new ManagerSettings("core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker,
                    Meters.NONE);

    @Test
    void aThreadThatNeverUnlocksDoesNotLeak() {
        try (Actor forgetful = new Actor("forgetful")) {
            forgetful.does(() -> {
                for (int i = 0; i < 1_000; i++) {
                    manager.getReservation("forgotten-" + i).lock();
                }
            });
            ticker.advance(LEASE);
            assertThat(probe.holds()).isEqualTo(1_000);
        }

        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofMinutes(1));
            return probe.holds() == 0;
        });
    }

    @Test
    void aLossIsRememberedForAsLongAsTheThreadLives() {
        Reservation report = manager.getReservation("report");
        report.lock();
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        manager.onLost(told::add);

        for (int i = 0; i < 6; i++) {
            ticker.advance(Duration.ofMinutes(10));
            manager.getReservation("other").lock(); // Has the watch look again.
            Awaitility.await().until(() -> {
                ticker.advance(LEASE);
                return told.poll() != null;
            });
        }

        assertThatThrownBy(report::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(report::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void ofVeryManyLossesTheOldestAreForgotten() {
        HoldTable table = new HoldTable(10);
        for (int i = 0; i < 11; i++) {
            LeaseId lease = new LeaseId("core::" + i, "holder");
            Hold hold = new Hold(
                    Thread.currentThread(),
                    new Grant("" + i, lease, OptionalLong.empty(), Thread.currentThread(), Reading.of(ticker), LEASE,
                            i));
            table.put(hold);
            if (i != 5) {
                hold.grant.end(i);
            }
        }

        table.forgetLost();
        assertThat(table.size()).isEqualTo(11);
        table.find(Thread.currentThread(), "core::5").grant.end(20);
        table.forgetLost();

        assertThat(IntStream.rangeClosed(0, 10)
                .filter(i -> table.find(Thread.currentThread(), "core::" + i) != null)
                .boxed())
                .containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void aThreadThatLocksAgainAndAgainWithoutUnlockingKeepsOneHold() {
        Reservation reservation = manager.getReservation("throttle");
        for (int i = 0; i < 1_000; i++) {
            assertThat(reservation.tryLock()).isTrue();
            ticker.advance(LEASE);
        }

        assertThat(probe.holds()).isEqualTo(1);
    }

    @Test
    void anAcquisitionThatFoundNoThreadIsNotUnderWay_soTheWatchEnds() {
        try (MockedStatic<Threads> threads = mockStatic(Threads.class)) {
            threads.when(() -> Threads.platform(any(), any())).thenReturn(new Thread() {
                @Override
                public void start() {
                    throw new OutOfMemoryError("unable to create native thread");
                }
            });
            assertThatThrownBy(manager.getReservation("42")::lock).isInstanceOf(OutOfMemoryError.class);
        }
        manager.getReservation("42").lock();
        manager.getReservation("42").unlock();

        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return !probe.isWatching();
        });
    }

    @Test
    void aCallThatAnInterruptBrokeLateLeavesTheNextOneItsTime() throws Exception {
        Retries.Repeats repeats = ((StoreReservationManager) manager).store().retries().new Repeats();
        StoreException broken = catchThrowableOfType(StoreException.class, () -> repeats.answer(() -> {
            ticker.advance(Duration.ofSeconds(3));
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        }));
        assertThat(Thread.interrupted()).isTrue();
        repeats.allowOrThrow(broken);
        AtomicInteger asked = new AtomicInteger();

        try (Actor actor = new Actor("asks again")) {
            Future<String> answer = actor.starts(() -> repeats.answer(() -> {
                if (asked.incrementAndGet() == 1) {
                    throw new StoreException(Kind.CONTENTION, "A deadlock");
                }
                return "yes";
            }));

            Awaitility.await().until(() -> {
                ticker.advance(Duration.ofMillis(1));
                return answer.isDone();
            });
            assertThat(Actor.result(answer)).isEqualTo("yes");
        }
    }

    @Test
    void aNodeIsNamedWhenItFirstWaitsAndNotBefore() throws Exception {
        List<String> nodes = new CopyOnWriteArrayList<>();
        LeaseStore recording = (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{LeaseStore.class}, (proxy, method, arguments) -> {
                    AcquireRequest request = (AcquireRequest) arguments[0];
                    nodes.add(request.node());
                    return new Acquisition.Granted(OptionalLong.empty());
                });
        try (ReservationManager node = new StoreReservationManager(recording, settings)) {
            node.getReservation("42").tryLock();
            node.getReservation("43").lock();
            node.getReservation("44").tryLock();
        }

        assertThat(nodes).hasSize(3);
        assertThat(nodes.getFirst()).isEqualTo(AcquireRequest.NO_NODE);
        assertThat(nodes.get(1)).isNotEqualTo(AcquireRequest.NO_NODE).isEqualTo(nodes.getLast());
    }

    @Test
    void aManagerThatCannotBeMeasuredIsNotSubscribedEither() {
        AtomicInteger subscriptions = new AtomicInteger();
        SignallingStore signalling = (SignallingStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{SignallingStore.class}, (proxy, method, arguments) -> {
                    subscriptions.incrementAndGet();
                    return (Registration) subscriptions::decrementAndGet;
                });
        Meters broken = new Meters(new Instruments() {
            @Override
            public Registration sum(Meter meter, IntSupplier holds, String... tags) {
                throw new IllegalStateException("A bad registry");
            }
        });
        ManagerSettings measured = new ManagerSettings(
                "core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker, broken);

        assertThatThrownBy(() -> new StoreReservationManager(signalling, measured)).hasMessage("A bad registry");

        assertThat(subscriptions).hasValue(0);
    }

    @Test
    void aStoreThatCannotBeSubscribedToLeavesNoGaugeBehind() {
        AtomicInteger gauges = new AtomicInteger();
        SignallingStore broken = (SignallingStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{SignallingStore.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("A bad store");
                });
        Meters meters = new Meters(new Instruments() {
            @Override
            public Registration sum(Meter meter, IntSupplier holds, String... tags) {
                gauges.incrementAndGet();
                return gauges::decrementAndGet;
            }
        });
        ManagerSettings measured = new ManagerSettings(
                "core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker, meters);

        assertThatThrownBy(() -> new StoreReservationManager(broken, measured)).hasMessage("A bad store");

        assertThat(gauges).hasValue(0);
    }
}
