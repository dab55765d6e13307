// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.loss.Grant;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.retry.RetryingStore;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.time.Reading;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
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
    private final ManagerProbe probe = new ManagerProbe(manager);
    private final ManagerSettings settings =
            new ManagerSettings("core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker,
                    Meters.NONE);

    @AfterEach
    void close() {
        manager.close();
    }

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
                    new Grant("" + i, lease, OptionalLong.empty(), null, Reading.of(ticker), LEASE, i));
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
    void aCallThatAnInterruptBrokeLateLeavesTheNextOneItsTime() throws Exception {
        RetryingStore.Repeats repeats = ((StoreReservationManager) manager).store().new Repeats();
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
            ticker.advance(Duration.ofSeconds(5));
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
    void aStoreThatFailsNowAndThenIsWarnedOfOnceAMinute_andRecoversOnce() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("com.github.reservation");
        Handler handler = recorder(logged);
        logger.addHandler(handler);
        Reservation reservation = manager.getReservation("42");
        try {
            for (int second = 0; second <= 60; second++) {
                store.failWith(Fault.UNAVAILABLE);
                assertThat(reservation.tryLock()).isFalse();
                store.recover();
                assertThat(reservation.isLocked()).isFalse();
                ticker.advance(Duration.ofSeconds(1));
            }
            ticker.advance(Duration.ofSeconds(4));
            assertThat(reservation.isLocked()).isFalse();
            assertThat(reservation.isLocked()).isFalse();
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged)
                .extracting(LogRecord::getMessage)
                .filteredOn(message -> message.startsWith("The store of domain core"))
                .containsExactly(
                        "The store of domain core does not answer: UNAVAILABLE",
                        "The store of domain core does not answer: UNAVAILABLE, 60 failures since the last warning",
                        "The store of domain core answers again");
    }

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
                if (Thread.currentThread().getName().equals("reservation-watch") && fails.getAndSet(false)) {
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
        Meters blocking = new Meters() {
            @Override
            public void recordExpiration(String domain) {
                Actor.awaitUninterruptibly(never);
            }
        };
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
    void aManagerThatCannotBeMeasuredIsNotSubscribedEither() {
        AtomicInteger subscriptions = new AtomicInteger();
        SignallingStore signalling = (SignallingStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{SignallingStore.class}, (proxy, method, arguments) -> {
                    subscriptions.incrementAndGet();
                    return (SignallingStore.Subscription) subscriptions::decrementAndGet;
                });
        Meters broken = new Meters() {
            @Override
            public Registration trackActive(String domain, IntSupplier holds) {
                throw new IllegalStateException("A bad registry");
            }
        };
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
        Meters meters = new Meters() {
            @Override
            public Registration trackActive(String domain, IntSupplier holds) {
                gauges.incrementAndGet();
                return gauges::decrementAndGet;
            }
        };
        ManagerSettings measured = new ManagerSettings(
                "core", LEASE, true, Duration.ofMillis(10), Duration.ofMillis(100), ticker, meters);

        assertThatThrownBy(() -> new StoreReservationManager(broken, measured)).hasMessage("A bad store");

        assertThat(gauges).hasValue(0);
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
