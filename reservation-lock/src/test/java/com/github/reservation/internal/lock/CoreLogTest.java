// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.Actor;
import com.github.reservation.memory.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the core logs. */
class CoreLogTest extends InManualTime {

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
    void aLineBreakInAKeyForgesNoLine() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("com.github.reservation");
        Handler handler = recorder(logged);
        logger.addHandler(handler);
        String forged = "42\n2026-11-17 INFO Audit - approved\u001b[2K\u2028";
        try {
            manager.getReservation(forged).lock();
            ticker.advance(LEASE);
            Awaitility.await().until(() -> logged.stream().anyMatch(entry -> entry.getMessage().contains("was lost")));

            assertThatExceptionOfType(ReservationExpiredException.class)
                    .isThrownBy(() -> manager.getReservation(forged).unlock())
                    .withMessageContaining("42\\u000a2026")
                    .satisfies(e -> assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).extracting(LogRecord::getMessage)
                .filteredOn(text -> text.contains("was lost"))
                .first().asString().contains("42\\u000a2026-11-17 INFO Audit - approved\\u001b[2K\\u2028");
    }

    @Test
    void manyLossesAreFewLines() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("com.github.reservation");
        Handler handler = recorder(logged);
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 1_000; i++) {
                manager.getReservation("many-" + i).lock();
            }
            ticker.advance(LEASE);

            Awaitility.await().until(() -> logged.stream().map(LogRecord::getMessage)
                    .anyMatch("990 more reservations of domain core were lost while they were held"::equals));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).filteredOn(entry -> entry.getMessage().matches("Reservation core::many-.* was lost .*"))
                .hasSize(10);
    }

    @Test
    void aMisconfiguredStoreIsNotSaidToBeSilent() {
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            store.failWith(Fault.MISCONFIGURED);
            assertThatExceptionOfType(ReservationAcquisitionException.class)
                    .isThrownBy(() -> manager.getReservation("42").tryLock());

            assertThat(warnings.texts()).containsExactly("The store of domain core is misconfigured");
        } finally {
            store.recover();
        }
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
                        "The store of domain core works again");
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
