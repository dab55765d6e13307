// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An outage of the store of claims is logged and counted as one of a store of locks is. */
class ClaimHealthTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final ManualTicker ticker = new ManualTicker();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryClaims real = new MemoryClaims(ticker);
    private volatile boolean down;
    private final ClaimStore store = (ClaimStore) Proxy.newProxyInstance(
            ClaimStore.class.getClassLoader(), new Class<?>[]{ClaimStore.class}, (proxy, method, arguments) -> {
                if (down) {
                    throw new StoreException(Kind.UNAVAILABLE, "down");
                }
                try {
                    return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    private final Claims claims =
            StoreClaims.open(store, ticker, Map.of(), ClaimMeters.of(registry, "memory"));

    @Test
    void anOutageIsWarnedOfOnce_itsEndIsLogged_andEachFailureIsCounted() {
        try (LoggedWarnings log = LoggedWarnings.andNotes()) {
            down = true;
            for (int i = 0; i < 5; i++) {
                assertThatExceptionOfType(ReservationException.class)
                        .isThrownBy(() -> claims.reserve("email", "one", LONG));
            }
            down = false;
            ticker.advance(Duration.ofSeconds(5));
            assertThat(claims.reserve("email", "one", LONG)).isInstanceOf(ReserveResult.Success.class);
            assertThat(claims.isReserved("email", "one")).isTrue();

            assertThat(log.texts()).filteredOn(text -> text.contains("claims")).containsExactly(
                    "The store of claims does not answer: UNAVAILABLE", "The store of claims works again");
        }
        assertThat(registry.get("reservation.store.errors")
                .tags("domain", "claims", "backend", "memory", "kind", "unavailable")
                .counter()
                .count()).isEqualTo(5);
    }
}
