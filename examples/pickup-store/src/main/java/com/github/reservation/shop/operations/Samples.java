// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import com.github.reservation.shop.Texts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The last five minutes: what is held, what expired, and how long this instance waited for locks. Kept in memory. */
@Component
class Samples {

    private static final int LENGTH = 150;
    private static final long SECONDS = 2;
    private static final String FROM = Texts.words(Duration.ofSeconds(LENGTH * SECONDS)) + " ago";

    private final JdbcClient jdbc;
    private final MeterRegistry meters;
    private final Series holds = new Series(LENGTH);
    private final Series expirations = new Series(LENGTH);
    private final Series waits = new Series(LENGTH);
    private int expiredBefore = -1;
    private double waitedBefore;
    private long acquiredBefore;

    Samples(JdbcClient jdbc, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.meters = meters;
    }

    @Scheduled(fixedRate = SECONDS, timeUnit = TimeUnit.SECONDS)
    void take() {
        holds.add(count("RESERVED"));
        int expired = count("EXPIRED");
        expirations.add(expiredBefore < 0 ? 0 : expired - expiredBefore);
        expiredBefore = expired;
        takeWaits();
    }

    private int count(String status) {
        return jdbc.sql("SELECT COUNT(*) FROM orders WHERE order_type = 'RESERVE_PICKUP' AND status = ?").param(status)
                .query(Integer.class).single();
    }

    /** The mean wait of the acquisitions since the last sample. */
    private void takeWaits() {
        Collection<Timer> timers = meters.find("reservation.acquire").timers();
        double waited = timers.stream().mapToDouble(timer -> timer.totalTime(TimeUnit.MILLISECONDS)).sum();
        long acquired = timers.stream().mapToLong(Timer::count).sum();
        waits.add(acquired == acquiredBefore ? 0 : (waited - waitedBefore) / (acquired - acquiredBefore));
        waitedBefore = waited;
        acquiredBefore = acquired;
    }

    List<Chart> charts() {
        return List.of(
                Chart.of("holds", "Orders on hold", "orders", holds.values(), LENGTH, FROM),
                Chart.of("expirations", "Expired orders", "per " + SECONDS + " s", expirations.values(), LENGTH, FROM),
                Chart.of("waiting", "Wait for a lock", "ms", waits.values(), LENGTH, FROM));
    }
}
