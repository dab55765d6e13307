// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the core does by itself: forgetting, logging, ending its threads. */
class CoreTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);
    private final ReservationManager manager =
            ReservationManager.inMemory(store).domain("core").leaseTime(LEASE).build();
    private final CoreProbe probe = new CoreProbe(manager);

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void aThreadThatNeverUnlocksDoesNotLeak() {
        for (int i = 0; i < 1_000; i++) {
            manager.getReservation("forgotten-" + i).lock();
        }
        ticker.advance(LEASE);
        assertThatThrownBy(() -> manager.getReservation("forgotten-0").unlock())
                .isInstanceOf(ReservationException.class);

        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofMinutes(1));
            return probe.holds() == 0;
        });

        assertThatThrownBy(() -> manager.getReservation("forgotten-1").unlock())
                .isInstanceOf(IllegalMonitorStateException.class);
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
    void aCallThatAnInterruptBrokeLateLeavesTheNextOneItsTime() throws Exception {
        StoreCalls.Repeats repeats = ((StoreReservationManager) manager).core().calls().new Repeats();
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
    void anOutageIsLoggedOnceAndSoIsItsEnd() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("com.github.reservation");
        Handler handler = recorder(logged);
        logger.addHandler(handler);
        try {
            store.failWith(Fault.UNAVAILABLE);
            for (int i = 0; i < 10; i++) {
                assertThat(manager.getReservation("42").tryLock()).isFalse();
            }
            store.recover();
            for (int i = 0; i < 10; i++) {
                assertThat(manager.getReservation("42").tryLock()).isTrue();
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged)
                .filteredOn(entry -> entry.getMessage().startsWith("The store of domain core"))
                .extracting(LogRecord::getLevel)
                .containsExactly(Level.WARNING, Level.INFO);
    }

    @Test
    void aLossIsLoggedWithTheKeyAndWithoutTheHoldersSecret() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("com.github.reservation");
        Handler handler = recorder(logged);
        logger.addHandler(handler);
        try {
            manager.getReservation("logged").lock();
            store.expireNow("core::logged");
            Awaitility.await().until(
                    () -> logged.stream().anyMatch(entry -> entry.getMessage().contains("core::logged")));
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged)
                .filteredOn(entry -> entry.getMessage().contains("core::logged"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getLevel()).isEqualTo(Level.WARNING);
                    assertThat(entry.getMessage()).doesNotContainPattern("[0-9a-f]{32}");
                });
    }

    @Test
    void aLogThatThrowsOrHangsKeepsNobodyFromBeingTold() throws Exception {
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        manager.onLost(told::add);
        CountDownLatch hangs = new CountDownLatch(1);
        Logger logger = Logger.getLogger("com.github.reservation");
        for (Runnable trouble : List.<Runnable>of(
                () -> {
                    throw new IllegalStateException("A bad log");
                },
                () -> {
                    throw new AssertionError("A worse log");
                },
                () -> Actor.awaitUninterruptibly(hangs))) {
            Handler handler = handler(entry -> trouble.run());
            logger.addHandler(handler);
            try {
                manager.getReservation("42").lock();
                ticker.advance(LEASE);
                assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
            } finally {
                logger.removeHandler(handler);
            }
        }
        hangs.countDown();
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
    void aManagerThatNeverHeldAnythingStartsNoThread() {
        manager.getReservation("42").isLocked();

        assertThat(probe.isWatching()).isFalse();
    }

    private static Handler recorder(List<LogRecord> logged) {
        return handler(logged::add);
    }

    private static Handler handler(Consumer<LogRecord> publish) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                publish.accept(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
