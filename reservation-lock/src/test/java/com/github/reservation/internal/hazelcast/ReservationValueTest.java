// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.store.LeaseId;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text that says who holds a key. */
class ReservationValueTest {

    @Test
    void namesMayContainWhatSeparatesTheParts() {
        LeaseId lease = new LeaseId("k", "a,acquired=b=@c-7@host/1-0123");
        ReservationValue value = ReservationValue.of(lease, Instant.parse("2025-01-01T12:00:00Z"));

        assertThat(value.text()).isEqualTo("holder=a,acquired=b=@c-7@host/1,acquired=2025-01-01T12:00:00.000Z");
        assertThat(ReservationValue.parse(value.text())).contains(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "holder=", "holder=x", ",acquired=2025-01-01T12:00:00.000Z", "holder=x,acquired=now"})
    void foreignValuesAreNotRead(String text) {
        assertThat(ReservationValue.parse(text)).isEmpty();
    }
}
