// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A manager on a user's own store. */
class MapStoreTest {

    private final LeaseStore store = new MapStore();

    @Test
    void aManagerOnAStoreOfYourOwn() {
        // @start region="use"
        ReservationManager orders = ReservationManager.on(store).domain("orders").build();
        // @end
        ReservationManager otherNode = ReservationManager.on(store).domain("orders").build();
        Reservation reservation = orders.getReservation("42");

        reservation.lock();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(otherNode.getReservation("42").tryLock()).isFalse();
        assertThat(otherNode.listReservations()).singleElement()
                .satisfies(found -> assertThat(found.identifier()).isEqualTo("42"));
        reservation.unlock();
        assertThat(otherNode.getReservation("42").tryLock()).isTrue();
        orders.close();
        otherNode.close();
    }

    @Test
    void theTickerDecidesHowFarALeaseIsTrusted() {
        ManualTicker ticker = new ManualTicker();
        try (ReservationManager orders = ReservationManager.on(store)
                .domain("orders")
                .leaseTime(Duration.ofMinutes(1))
                .ticker(ticker)
                .build()) {
            Reservation reservation = orders.getReservation("42");
            reservation.lock();

            ticker.advance(Duration.ofMinutes(1));

            assertThat(reservation.isHeldByCurrentThread()).isFalse();
        }
    }

    @Test
    void theOptionsMustFitTogether() {
        assertThatIllegalStateException().isThrownBy(() -> ReservationManager.on(store).build());
        assertThatIllegalStateException().isThrownBy(() -> ReservationManager.on(store)
                .domain("orders")
                .pollInterval(Duration.ofSeconds(2))
                .maxPollInterval(Duration.ofSeconds(1))
                .build())
                .withMessageContaining("pollInterval must not be longer than maxPollInterval");
        assertThatNullPointerException().isThrownBy(() -> ReservationManager.on(null));
        assertThatNullPointerException().isThrownBy(() -> ReservationManager.on(store).ticker(null));
    }
}
