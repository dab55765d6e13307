// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.contract.Actor;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of two sources hangs and ignores interrupts: the other one, the callers and the end of the job do not wait for it. */
@Timeout(30)
class HangingSourceTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTicker ticker = new ManualTicker();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestSource orders = new TestSource("orders");
    private final TestSource claims = new TestSource("claims");
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final SourcesJob.Scheduled claimsSchedule = new SourcesJob.Scheduled("claims", claims, MINUTE);
    private final SourcesJob job = new SourcesJob(
            List.of(new SourcesJob.Scheduled("orders", orders, MINUTE), claimsSchedule),
            run -> {},
            Duration.ofMillis(100),
            ExpirationMeters.of(registry),
            ticker);

    @BeforeEach
    void hang() {
        orders.work = tally -> {
            hanging.countDown();
            while (mayEnd.getCount() > 0) {
                LockSupport.park(mayEnd);
                Thread.interrupted();
            }
        };
    }

    /** Parked threads look at the latch when they are interrupted or unparked. */
    private void end() {
        mayEnd.countDown();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> LockSupport.getBlocker(thread) == mayEnd)
                .forEach(LockSupport::unpark);
    }

    @AfterEach
    void close() {
        await().until(() -> {
            end();
            return hanging.getCount() > 0 || orders.runs() > 0;
        });
        job.close();
    }

    @Test
    void theOtherSourceKeepsItsSchedule() throws Exception {
        job.start();
        hanging.await();

        for (int run = 1; run <= 3; run++) {
            int expected = run;
            await().until(() -> claims.runs() == expected && TestSource.isAsleep(claimsSchedule));
            ticker.advance(MINUTE);
        }

        await().until(() -> claims.runs() == 4);
        assertThat(orders.runs()).isZero();
    }

    @Test
    void closeGivesUpAndSaysWhatItLeftBehind() throws Exception {
        job.start();
        hanging.await();
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            job.close();

            assertThat(warnings.texts()).singleElement().asString()
                    .startsWith("The job is closed, but a run of source orders has not ended within PT0.1S")
                    .contains("reservation-expiration-orders");
        }
    }

    @Test
    void aRunThatEndsAfterTheJobBringsNoGaugeBack() throws Exception {
        job.start();
        hanging.await();
        await().until(() -> claims.runs() == 1);
        job.close();

        end();

        await().until(() -> !isAlive("reservation-expiration-orders"));
        assertThat(job.lastRun().orElseThrow().sources()).hasSize(2);
        assertThat(registry.find("reservation.expiration.set_aside").gauges()).isEmpty();
    }

    private static boolean isAlive(String name) {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals(name));
    }

    @Test
    void runOnceRunsTheOthersFirst_andReturnsWhenTheJobIsClosed() throws Exception {
        try (Actor schedule = new Actor("schedule"); Actor caller = new Actor("caller")) {
            Future<ExpirationRun> first = schedule.starts(job::runOnce);
            hanging.await();
            Future<ExpirationRun> second = caller.startsAndWaits(job::runOnce);
            assertThat(claims.runs()).isEqualTo(1);

            job.close();

            assertThat(Actor.result(second).sources()).extracting(SourceRun::source).containsExactly("claims");
            end();
            assertThat(Actor.result(first).sources()).extracting(SourceRun::source).containsExactly("orders");
        }
    }

    @Test
    void runOnceReturnsWhenItIsInterrupted() throws Exception {
        try (Actor schedule = new Actor("schedule"); Actor caller = new Actor("caller")) {
            Future<ExpirationRun> first = schedule.starts(job::runOnce);
            hanging.await();
            Future<Boolean> second = caller.startsAndWaits(() -> {
                job.runOnce();
                return Thread.interrupted();
            });

            caller.thread().interrupt();

            assertThat(Actor.result(second)).as("still interrupted").isTrue();
            end();
            assertThat(Actor.result(first).sources()).hasSize(2);
        }
    }
}
