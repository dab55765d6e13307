// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.memory.ManualTicker;
import com.github.reservation.outbox.OutboxListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of which groups of a page wakes the pump. */
class KeyGroupTest {

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger left = new AtomicInteger(2);
    private final KeyGroup one = group();
    private final KeyGroup other = group();

    private KeyGroup group() {
        StoredEvent event = new StoredEvent(1, "digest", "key", "text", "\"paid\"", Instant.EPOCH, 0);
        return new KeyGroup(List.of(event), left, ticker.nanos() + Duration.ofMinutes(1).toNanos(), ticker);
    }

    @Test
    void thePumpWaitsForTheLastGroupOfAPage() {
        assertThat(one.run(subscriber((event, delivery) -> {}))).isFalse();
        assertThat(other.run(subscriber((event, delivery) -> {}))).isTrue();
    }

    @Test
    void thePumpWaitsForASlowGroup_evenIfAnotherOneOfItsPageRuns() {
        assertThat(one.run(subscriber((event, delivery) -> one.stop()))).isTrue();
    }

    private static Subscriber<String> subscriber(OutboxListener<String> listener) {
        return new Subscriber<>("mails", Map.of("text", String.class), listener, JacksonCodec.find());
    }
}
