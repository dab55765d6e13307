// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.memory.InMemoryStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The thread that watches the holds, and the listeners that it calls. */
class WatchTest extends InManualTime {

    @Test
    void aListenerIsToldAlthoughAllCarriersAreBusy() throws Exception {
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        manager.onLost(told::add);
        manager.getReservation("42").lock();
        AtomicBoolean spinning = new AtomicBoolean(true);
        try {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                Thread.ofVirtual().start(() -> {
                    while (spinning.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            ticker.advance(LEASE);

            assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
        } finally {
            spinning.set(false);
        }
    }

    @Test
    void aListenerThatBlocksHoldsUpNobodyButItself() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        manager.onLost(lost -> {
            blocked.incrementAndGet();
            Actor.awaitUninterruptibly(never);
        });
        manager.onLost(told::add);
        try {
            for (int i = 0; i < 100; i++) {
                manager.getReservation("many-" + i).lock();
            }
            ticker.advance(LEASE);

            for (int i = 0; i < 100; i++) {
                assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(blocked).hasValueLessThanOrEqualTo(16);
        } finally {
            never.countDown();
        }
        Awaitility.await().until(() -> blocked.get() == 100);
    }

    @Test
    void managersOfOneTickerShareTheThreadThatWatches() {
        try (ReservationManager second = ReservationManager.inMemory(store).domain("second").build()) {
            manager.getReservation("42").lock();
            second.getReservation("42").lock();
            ManagerProbe other = new ManagerProbe(second);
            assertThat(probe.watchThread()).isNotNull().isSameAs(other.watchThread());

            manager.getReservation("42").unlock();
            manager.close();

            Awaitility.await().until(() -> !probe.isWatching());
            Thread thread = other.watchThread();
            assertThat(thread).isNotNull();
            assertThat(thread.isAlive()).isTrue();
            second.getReservation("42").unlock();
            second.close();

            Awaitility.await().until(() -> !thread.isAlive());
        }
    }

    @Test
    void theFirstHoldOfAManagerIsWatchedHoweverItMeetsTheStartOfTheWatch() throws Exception {
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        for (int i = 0; i < 300; i++) {
            try (ReservationManager fresh =
                    ReservationManager.inMemory(store).domain("fresh-" + i).leaseTime(LEASE).build()) {
                fresh.onLost(told::add);
                fresh.getReservation("42").lock();
                ticker.advance(LEASE);
                assertThat(told.poll(10, TimeUnit.SECONDS)).as("manager " + i).isNotNull();
            }
        }
    }

    @Test
    void theWatchSurvivesATickerThatThrows() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        Ticker flaky = new Ticker() {
            @Override
            public long nanos() {
                if (Thread.currentThread().getName().equals("reservation-clock") && fails.getAndSet(false)) {
                    throw new OutOfMemoryError("for a moment");
                }
                return ticker.nanos();
            }

            @Override
            public long epochMillis() {
                return ticker.epochMillis();
            }

            @Override
            public void parkUntil(Object blocker, long deadline) {
                ticker.parkUntil(blocker, deadline);
            }
        };
        try (ReservationManager node = ReservationManager.inMemory(new InMemoryStore(flaky))
                .domain("core")
                .leaseTime(LEASE)
                .build()) {
            BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
            node.onLost(told::add);
            node.getReservation("42").lock();
            fails.set(true);

            Awaitility.await().until(() -> {
                ticker.advance(LEASE);
                return !told.isEmpty();
            });
            assertThat(fails).isFalse();
        }
    }

    @Test
    void metersThatBlockKeepNoOtherManagerFromBeingTold() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Meters blocking = new Meters(new Instruments() {
            @Override
            public void count(Meter meter, double amount, String... tags) {
                if (meter.name().equals("reservation.expired")) {
                    Actor.awaitUninterruptibly(never);
                }
            }
        });
        ManagerSettings measured = new ManagerSettings(
                "core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker, blocking);
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        try (ReservationManager slow =
                new StoreReservationManager(((StoreReservationManager) manager).store().store(), measured)) {
            slow.onLost(told::add);
            manager.onLost(told::add);
            slow.getReservation("1").lock();
            slow.getReservation("2").lock();
            manager.getReservation("3").lock();

            ticker.advance(LEASE);

            for (int i = 0; i < 3; i++) {
                assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
            }
        } finally {
            never.countDown();
        }
    }

    @Test
    void metersThatThrowHarmNeitherTheLockNorThoseWhoMustBeTold() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (ReservationManager measured = ReservationManager.inMemory(store)
                .domain("core")
                .meterRegistry(registry)
                .build()) {
            registry.config().meterFilter(new MeterFilter() {
                @Override
                public MeterFilterReply accept(Meter.Id id) {
                    throw new IllegalArgumentException("A bad filter");
                }
            });
            BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
            measured.onLost(told::add);
            for (String id : List.of("one", "two")) {
                measured.getReservation(id).lock();
                ticker.advance(measured.getLeaseTime());
                assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
            }
            measured.getReservation("three").lock();
            measured.getReservation("three").unlock();
        }
    }

    @Test
    void aLossIsToldInTheTimeOfTheJvmToo() throws Exception {
        try (ReservationManager real = ReservationManager.inMemory()
                .domain("core")
                .leaseTime(Duration.ofSeconds(1))
                .build()) {
            BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
            real.onLost(told::add);
            long start = System.nanoTime();
            real.getReservation("42").lock();

            assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
        }
    }

    @Test
    void closeEndsTheWatchWhenNothingIsHeld() {
        manager.run("42", held -> assertThat(probe.isWatching()).isTrue());

        manager.close();

        Awaitility.await().until(() -> !probe.isWatching());
    }

    @Test
    void theThreadEndsWhileNothingIsHeld_andComesBackWithTheNextHold() throws Exception {
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        manager.onLost(told::add);
        for (int i = 0; i < 3; i++) {
            manager.getReservation("42").lock();
            Thread watching = probe.watchThread();
            assertThat(watching).isNotNull();
            manager.getReservation("42").unlock();

            Awaitility.await().until(() -> {
                ticker.advance(Duration.ofSeconds(1));
                return !watching.isAlive();
            });
            assertThat(probe.isWatching()).isFalse();
        }

        manager.getReservation("42").lock();
        ticker.advance(LEASE);

        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void theThreadStaysWhileAThreadWaitsForAHold() throws Exception {
        try (ReservationManager other = ReservationManager.inMemory(store).domain("core").build();
                Actor waiter = new Actor("waiter")) {
            other.getReservation("42").lock(Duration.ofDays(1));
            Future<?> waiting = waiter.starts(() -> manager.getReservation("42").lock());
            Awaitility.await().until(() -> probe.waiters("core::42") == 1);
            Thread watching = probe.watchThread();

            Awaitility.await().during(Duration.ofMillis(300)).until(() -> {
                ticker.advance(Duration.ofSeconds(1));
                return probe.isWatching();
            });

            assertThat(probe.watchThread()).isSameAs(watching);
            other.getReservation("42").unlock();
            Actor.result(waiting);
        }
    }

    @Test
    void theThreadStaysWhileALostHoldIsStillToBeUnlocked() {
        manager.getReservation("42").lock();
        ticker.advance(LEASE);
        Thread watching = probe.watchThread();
        Awaitility.await().until(() -> !manager.getReservation("42").isHeldByCurrentThread());

        ticker.advance(Duration.ofMinutes(3));

        assertThat(watching).isNotNull();
        assertThat(watching.isAlive()).isTrue();
        assertThatThrownBy(() -> manager.getReservation("42").unlock()).isInstanceOf(
                ReservationExpiredException.class);
        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofMinutes(1));
            return !watching.isAlive();
        });
    }

    /** The thread may leave at any time, and a close must find out. */
    @Test
    void aCloseThatMeetsTheEndOfTheThreadEndsTheSubscription() {
        for (int i = 0; i < 300; i++) {
            try (ReservationManager fresh = ReservationManager.inMemory(store).domain("fresh-" + i).build()) {
                Grants grants = ((StoreReservationManager) fresh).grants();
                grants.acquisitionBegins();
                grants.acquisitionEnded();
                for (int looks = 0; looks < i % 4; looks++) {
                    ticker.advance(Duration.ofSeconds(5));
                    Thread.yield();
                }
                AtomicInteger ended = new AtomicInteger();

                grants.close(ended::incrementAndGet);

                Awaitility.await().pollDelay(Duration.ZERO).until(() -> ended.get() == 1);
            }
        }
    }

    @Test
    void aManagerThatNeverHeldAnythingStartsNoThread() {
        manager.getReservation("42").isLocked();

        assertThat(probe.isWatching()).isFalse();
    }
}
