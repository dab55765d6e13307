// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LossReason;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a manager still counts as held. */
class GrantsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ManualTicker ticker = new ManualTicker();
    private final LeaseStore unused = (LeaseStore) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{LeaseStore.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });
    private final Grants grants = new Grants(
            new RetryingStore(unused, ticker, "orders", Meters.NONE, key -> {}),
            new Losses("orders", ticker, Meters.NONE),
            () -> false);
    private final Grant grant = new Grant(
            "42",
            new LeaseId("orders::42", "holder"),
            OptionalLong.empty(),
            Thread.currentThread(),
            Reading.of(ticker),
            LEASE,
            ticker.nanos());

    @AfterEach
    void close() {
        grants.close(() -> {});
    }

    @Test
    void aGrantThatAnotherThreadIsStillReportingAsLostIsNotHeld() {
        grants.add(grant, null);

        grant.lose(LossReason.FORCED, ticker.nanos());

        assertThat(grants.checkTrust(grant)).isFalse();
        assertThat(grants.isEmpty()).isTrue();
    }

    @Test
    void anOverdueGrantIsNotHeld() {
        grants.add(grant, null);

        ticker.advance(LEASE);

        assertThat(grants.checkTrust(grant)).isFalse();
        assertThat(grants.isEmpty()).isTrue();
    }
}
