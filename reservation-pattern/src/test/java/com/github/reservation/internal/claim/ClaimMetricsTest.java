// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to claims is counted by type, and timed. */
class ClaimMetricsTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ManualTicker ticker = new ManualTicker();
    private final Claims claims = Claims.inMemory(ticker).meterRegistry(registry).build();

    @AfterEach
    void close() {
        claims.close();
    }

    private ReserveResult.Success reserve(String type, String value) {
        return (ReserveResult.Success) claims.reserve(type, value, LONG);
    }

    private double count(String name, String type) {
        return registry.get("reservation.claim." + name).tags("type", type, "backend", "memory").counter().count();
    }

    @Test
    void everyChangeIsCountedByType() {
        ReserveResult.Success one = reserve("email", "one");
        claims.reserve("email", "one", LONG);
        claims.confirm(one.reservationId(), one.token(), "1");
        claims.confirm(one.reservationId(), one.token(), "1");
        ReserveResult.Success other = reserve("username", "other");
        claims.release(other.reservationId(), other.token());
        claims.releaseConfirmed(one.key(), "1");
        reserve("email", "lapsed");
        reserve("email", "swept");
        ticker.advance(LONG);
        reserve("email", "lapsed");
        claims.expireReservations(100);

        assertThat(count("reserved", "email")).isEqualTo(4);
        assertThat(count("reserved", "username")).isOne();
        assertThat(count("conflicts", "email")).isOne();
        assertThat(count("confirmed", "email")).isOne();
        assertThat(count("released", "email")).isOne();
        assertThat(count("released", "username")).isOne();
        assertThat(count("expired", "email")).isEqualTo(2);
    }

    @Test
    void callsAreTimedByTheirResult() {
        ReserveResult.Success reserved = reserve("email", "one");
        claims.reserve("email", "one", LONG);
        claims.reserve("email", "", LONG);
        claims.confirm(reserved.reservationId(), reserved.token(), "1");
        claims.release(reserved.reservationId(), reserved.token());

        assertThat(timer("reserve", "success").count()).isOne();
        assertThat(timer("reserve", "conflict").count()).isOne();
        assertThat(timer("reserve", "error").count()).isOne();
        assertThat(timer("confirm", "success").count()).isOne();
        assertThat(timer("release", "error").count()).isOne();
        assertThat(timer("confirm", "success").totalTime(TimeUnit.NANOSECONDS)).isZero();
    }

    private Timer timer(String operation, String result) {
        return registry.get("reservation.claim").tags("operation", operation, "result", result).timer();
    }

    @Test
    void typesBeyondTheFirstHundredAreOne() {
        for (int i = 0; i < 103; i++) {
            reserve("type-" + i, "value");
        }

        assertThat(count("reserved", "type-99")).isOne();
        assertThat(count("reserved", "other")).isEqualTo(3);
    }

    @Test
    void noTagHasAValue() {
        reserve("email", "alice@example.com");

        assertThat(registry.getMeters()).isNotEmpty().allSatisfy(
                meter -> assertThat(meter.getId().getTags().toString()).doesNotContain("alice"));
    }
}
