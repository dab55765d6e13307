// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.ReservationException;
import com.github.reservation.contract.Actor;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The schedule of a job and its end, in a time that a test moves by hand. */
@Timeout(30)
class SourcesJobTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTicker ticker = new ManualTicker();
    private final List<SourceRun> progress = new CopyOnWriteArrayList<>();
    private final TestSource orders = new TestSource("orders");
    private final TestSource claims = new TestSource("claims");
    private final SourcesJob.Scheduled everyMinute = new SourcesJob.Scheduled("orders", orders, MINUTE);
    private final SourcesJob.Scheduled everyFiveMinutes =
            new SourcesJob.Scheduled("claims", claims, MINUTE.multipliedBy(5));
    private final SourcesJob job = job(ExpirationMeters.NONE);

    private SourcesJob job(ExpirationMeters meters) {
        return job(progress::add, meters);
    }

    private SourcesJob job(Consumer<SourceRun> listener, ExpirationMeters meters) {
        return new SourcesJob(
                List.of(everyMinute, everyFiveMinutes), listener, Duration.ofSeconds(20), meters, ticker);
    }

    @AfterEach
    void close() {
        job.close();
    }

    @Test
    void eachSourceRunsAtOnceAndThenAtItsOwnInterval() {
        job.start();
        job.start();
        await().until(() -> orders.runs() == 1 && claims.runs() == 1);

        for (int minute = 2; minute <= 5; minute++) {
            int expected = minute;
            advanceAMinute();
            await().until(() -> orders.runs() == expected);
        }
        assertThat(claims.runs()).isEqualTo(1);
        advanceAMinute();

        await().until(() -> orders.runs() == 6 && claims.runs() == 2);
    }

    /** The next run is counted from the end of the last. After that end the thread of a source sleeps. */
    private void advanceAMinute() {
        int before = orders.runs();
        await().until(() -> TestSource.isAsleep(everyMinute) && TestSource.isAsleep(everyFiveMinutes));
        ticker.advance(MINUTE);
        await().until(() -> orders.runs() > before);
    }

    @Test
    void aRunReportsWhatItsSourcesReported() {
        orders.work = tally -> {
            tally.processed(500);
            tally.processed(20);
            tally.failed(new FailedRow("42", 1, new IllegalStateException("poison")));
            tally.setAside(3);
            ticker.advance(Duration.ofMillis(250));
        };

        ExpirationRun run = job.runOnce();

        assertThat(run.processedCount()).isEqualTo(520);
        assertThat(run.failedCount()).isEqualTo(1);
        assertThat(run.durationMs()).isEqualTo(250);
        assertThat(run.sources()).extracting(SourceRun::source).containsExactly("orders", "claims");
        assertThat(run.sources().getFirst().setAsideCount()).isEqualTo(3);
        assertThat(run.sources().getFirst().lag()).contains(MINUTE);
        assertThat(job.lastRun()).contains(run);
        assertThat(progress).extracting(SourceRun::processedCount).containsExactly(500L, 520L);
    }

    @Test
    void aProgressListenerThatThrows_harmsNoRun() {
        orders.work = tally -> {
            tally.processed(500);
            tally.processed(20);
        };
        try (SourcesJob watched = job(run -> {
            progress.add(run);
            throw new AssertionError("It must not harm the run");
        }, ExpirationMeters.NONE)) {
            SourceRun run = watched.runOnce().sources().getFirst();

            assertThat(run.failure()).isEmpty();
            assertThat(run.processedCount()).isEqualTo(520);
            assertThat(progress).hasSize(2);
        }
    }

    @Test
    void aSourceThatThrowsKeepsWhatItReported_andTheOthersRun() {
        orders.work = tally -> {
            tally.processed(7);
            throw new OutOfMemoryError("even this");
        };

        ExpirationRun run = job.runOnce();

        assertThat(run.sources().getFirst().processedCount()).isEqualTo(7);
        assertThat(run.sources().getFirst().failure()).containsInstanceOf(OutOfMemoryError.class);
        assertThat(run.sources().getFirst().lag()).contains(MINUTE);
        assertThat(claims.runs()).isEqualTo(1);
    }

    @Test
    void failedRunsAreCounted_andStillShowTheLag() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        orders.work = tally -> {
            throw new SQLException("The network is down", "08001");
        };
        try (SourcesJob measured = job(ExpirationMeters.of(registry))) {
            measured.runOnce();
            measured.runOnce();

            assertThat(counter(registry, "failed_runs", "orders")).isEqualTo(2);
            assertThat(counter(registry, "failed_runs", "claims")).isZero();
            assertThat(registry.get("reservation.expiration.lag").tag("source", "orders").gauge().value())
                    .isEqualTo(60);
        }
    }

    private static double counter(SimpleMeterRegistry registry, String name, String source) {
        return registry.get("reservation.expiration." + name).tag("source", source).counter().count();
    }

    @Test
    void jobsWithTheSameSourcesShareTheirGauges() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SourcesJob old = job(ExpirationMeters.of(registry));
        old.runOnce();
        try (SourcesJob next = job(ExpirationMeters.of(registry))) {
            next.runOnce();
            old.close();
            old.close();
            orders.work = tally -> tally.setAside(3);
            next.runOnce();

            assertThat(registry.get("reservation.expiration.set_aside").tag("source", "orders").gauge().value())
                    .isEqualTo(3);
        }
        assertThat(registry.find("reservation.expiration.set_aside").gauges()).isEmpty();
    }

    @Test
    void aFailureIsLoggedAgainWhenItIsAnotherOne() {
        List<String> states = List.of("08001", "08001", "42P01", "42P01");
        orders.work = tally -> {
            throw new SQLException("Attempt " + orders.runs() + " failed", states.get(orders.runs()));
        };
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            states.forEach(state -> job.runOnce());

            assertThat(warnings.texts()).filteredOn(text -> text.startsWith("A run of source orders failed"))
                    .hasSize(2);
        }
    }

    @Test
    void onlyTheFirstHundredFailedRowsAreKept() {
        orders.work = tally -> {
            for (int i = 0; i < 1_000; i++) {
                tally.failed(new FailedRow("row " + i, 1, new IllegalStateException()));
            }
        };

        SourceRun run = job.runOnce().sources().getFirst();

        assertThat(run.failedCount()).isEqualTo(1_000);
        assertThat(run.failedRows()).hasSize(100);
    }

    @Test
    void closeWaitsForTheBatchInHand_andEndsTheRunAfterIt() throws Exception {
        CountDownLatch inBatch = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        orders.work = tally -> {
            while (!tally.isStopping()) {
                inBatch.countDown();
                mayEnd.await();
                tally.processed(1);
            }
        };
        job.start();
        inBatch.await();
        try (Actor closer = new Actor("closer")) {
            Future<?> closed = closer.startsAndWaits(job::close);
            assertThat(closed.isDone()).isFalse();

            mayEnd.countDown();

            Actor.result(closed);
            assertThat(progress).hasSize(1);
        }
    }

    @Test
    void aClosedJobDoesNothing() {
        job.close();
        job.close();

        assertThatIllegalStateException().isThrownBy(job::runOnce).withMessage("The job is closed");
        assertThatIllegalStateException().isThrownBy(job::start).withMessage("The job is closed");
        assertThat(job.lastRun()).isEmpty();
    }

    @Test
    void aSourceCannotRunItsOwnJob_butMayCloseIt() {
        List<Throwable> thrown = new ArrayList<>();
        orders.work = tally -> {
            try {
                job.runOnce();
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
            job.close();
        };

        job.runOnce();

        assertThat(thrown).singleElement()
                .satisfies(e -> assertThat(e).hasMessage("A run of this job is under way on this thread"));
        assertThat(claims.runs()).isZero();
    }

    @Test
    void anInterruptEndsTheRunAndStays() {
        orders.work = tally -> {
            Thread.currentThread().interrupt();
            assertThat(tally.isStopping()).isTrue();
            throw new InterruptedException();
        };

        SourceRun run = job.runOnce().sources().getFirst();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(run.failure()).containsInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptThatASourceLeavesBehindDoesNotDisturbTheSchedule() {
        orders.work = tally -> Thread.currentThread().interrupt();
        job.start();
        await().until(() -> orders.runs() == 1 && claims.runs() == 1);

        advanceAMinute();

        assertThat(orders.runs()).isEqualTo(2);
    }

    @Test
    void lagAsksEachSource() {
        assertThat(job.lag()).containsEntry("orders", MINUTE).containsEntry("claims", MINUTE);

        claims.broken = true;

        assertThatThrownBy(job::lag).isInstanceOf(ReservationException.class)
                .hasMessage("Source claims did not say how far behind it is: The store is down");
        assertThat(job.runOnce().sources().getLast().lag()).isEmpty();
    }

    @Test
    void aRegistryThatThrowsDoesNotHarmTheRun() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().onMeterAdded(meter -> {
            throw new IllegalStateException("no meters");
        });
        try (SourcesJob measured = job(ExpirationMeters.of(registry))) {
            assertThat(measured.runOnce().sources()).hasSize(2);
        }
    }
}
