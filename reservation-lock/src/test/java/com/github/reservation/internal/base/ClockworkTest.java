// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mockStatic;

import com.github.reservation.contract.Actor;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** One thread, many deadlines: none is missed, whenever a task or the thread leaves. */
class ClockworkTest {

    private static final Duration REST = Duration.ofMillis(100);
    private static final int ROUNDS = 3_000;

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aTaskRunsWhenItIsDue_andNotBefore() {
        AtomicLong due = new AtomicLong(ticker.nanos() + Duration.ofMinutes(1).toNanos());
        Clockwork.Alarm alarm = new Clockwork.Alarm(ticker, Duration.ofHours(1), woken -> {
            long left = due.get() - ticker.nanos();
            runs.addAndGet(left > 0 ? 0 : 1);
            return left > 0 ? left : Clockwork.OVER;
        });
        alarm.set(due.get());

        ticker.advance(Duration.ofSeconds(59));
        await().during(Duration.ofMillis(100)).until(() -> runs.get() == 0);
        ticker.advance(Duration.ofSeconds(1));

        await().until(() -> runs.get() > 0);
        await().until(() -> alarm.thread() == null);
    }

    @Test
    void anEarlierDeadlineWakesTheThread_andALaterOneDoesNot() {
        Clockwork.Alarm alarm = new Clockwork.Alarm(ticker, Duration.ofHours(1), woken -> {
            runs.incrementAndGet();
            return Duration.ofMinutes(10).toNanos();
        });
        alarm.join();
        await().until(() -> runs.get() == 1);

        alarm.set(ticker.nanos() + Duration.ofMinutes(11).toNanos());
        await().during(Duration.ofMillis(100)).until(() -> runs.get() == 1);
        alarm.set(ticker.nanos() + Duration.ofMinutes(1).toNanos());

        await().until(() -> runs.get() == 2);
    }

    @Test
    void aTaskThatWasWokenRunsAgainAfterItsRest() {
        Clockwork.Alarm alarm = new Clockwork.Alarm(ticker, REST, woken -> {
            runs.incrementAndGet();
            return LeaseTimes.FOREVER;
        });
        alarm.join();
        await().until(() -> runs.get() == 1);

        ticker.advance(REST);

        await().until(() -> runs.get() == 2);
    }

    @Test
    void anErrorEndsNeitherTheTaskNorTheThread() {
        AtomicBoolean failed = new AtomicBoolean();
        CountDownLatch worked = new CountDownLatch(1);
        Clockwork.Alarm alarm = new Clockwork.Alarm(REST, woken -> {
            if (failed.compareAndSet(false, true)) {
                throw new AssertionError("for the test");
            }
            worked.countDown();
            return Clockwork.OVER;
        });

        alarm.join();

        await().until(() -> worked.getCount() == 0);
    }

    @Test
    void anIdleTaskLeavesAfterFiveSeconds_andTheThreadEnds() {
        Clockwork.Alarm alarm = new Clockwork.Alarm(ticker, REST, woken -> Clockwork.IDLE);
        alarm.join();
        Thread thread = alarm.thread();
        await().during(Duration.ofMillis(100)).until(() -> alarm.thread() == thread);

        await().until(() -> {
            ticker.advance(Duration.ofSeconds(5));
            return alarm.thread() == null;
        });

        await().until(() -> !thread.isAlive());
    }

    @Test
    void aThreadThatCouldNotBeNotedEnds() throws Exception {
        Clockwork.Alarm alarm = new Clockwork.Alarm(ticker, REST, woken -> Clockwork.OVER);
        AtomicReference<Thread> started = new AtomicReference<>();
        try (MockedStatic<Threads> threads = mockStatic(Threads.class)) {
            threads.when(() -> Threads.platform(any(), any())).thenAnswer(call -> {
                started.set(new LastThread(call.getArgument(1)));
                return started.get();
            });

            assertThatThrownBy(alarm::join).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(started.get().join(Duration.ofSeconds(10))).as("it has ended").isTrue();
    }

    /** Uses up the memory when it starts. */
    private static final class LastThread extends Thread {

        LastThread(Runnable task) {
            super(task);
            setDaemon(true);
        }

        @Override
        public void start() {
            super.start();
            throw new OutOfMemoryError("Java heap space");
        }
    }

    @Test
    void tasksOfOneTickerShareTheThread() {
        List<Clockwork.Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            alarms.add(new Clockwork.Alarm(ticker, REST, woken -> LeaseTimes.FOREVER));
        }
        alarms.forEach(Clockwork.Alarm::join);

        assertThat(alarms.stream().map(Clockwork.Alarm::thread).distinct()).hasSize(1);
    }

    /** The task leaves at once when it has nothing to do, and often the thread ends with it: the next deadline may meet either. */
    @RepeatedTest(3)
    void noDeadlineIsMissedThatMeetsTheEndOfTheTaskOrOfTheThread() throws Exception {
        Queue<CountDownLatch> pending = new ConcurrentLinkedQueue<>();
        Clockwork.Alarm alarm = new Clockwork.Alarm(new ManualTicker(), REST, woken -> {
            for (CountDownLatch one = pending.poll(); one != null; one = pending.poll()) {
                one.countDown();
            }
            return Clockwork.OVER;
        });
        try (Actor first = new Actor("first"); Actor second = new Actor("second")) {
            List<Future<?>> all = List.of(
                    first.starts(() -> setManyTimes(alarm, pending)),
                    second.starts(() -> setManyTimes(alarm, pending)));
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        await().until(() -> alarm.thread() == null);
    }

    private static void setManyTimes(Clockwork.Alarm alarm, Queue<CountDownLatch> pending) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            CountDownLatch done = new CountDownLatch(1);
            pending.add(done);
            alarm.set(0);
            assertThat(done.await(10, TimeUnit.SECONDS)).as("deadline " + i).isTrue();
        }
    }
}
