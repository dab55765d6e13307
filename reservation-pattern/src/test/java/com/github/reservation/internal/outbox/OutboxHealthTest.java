// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Ticker;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An outage of the store of an outbox is logged and counted once, however many listeners notice it. */
class OutboxHealthTest extends OnH2Outbox {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean down;

    @Test
    void anOutageIsWarnedOfOnce_itsEndIsLogged_andEachFailureIsCounted() {
        outbox = build(Ticker.system(), 3, Duration.ofSeconds(10), OutboxMeters.of(registry, "EVENTS"),
                (method, arguments) -> {
                    if (down && !method.equals("onAppend")) {
                        refused.incrementAndGet();
                        throw new StoreException(Kind.UNAVAILABLE, "down");
                    }
                });
        for (String listener : new String[]{"mailer", "printer", "auditor"}) {
            outbox.subscribe(listener, Paid.class, this::note);
        }
        try (LoggedWarnings log = LoggedWarnings.andNotes()) {
            down = true;
            outbox.start();
            await().until(() -> refused.get() > 6);
            assertThat(log.texts()).filteredOn(text -> text.contains("the outbox")).hasSize(1);
            down = false;

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> log.texts().contains("The store of the outbox works again"));
            assertThat(log.texts()).filteredOn(text -> text.contains("the outbox")).containsExactly(
                    "The store of the outbox does not answer: UNAVAILABLE", "The store of the outbox works again");
        }
        await().ignoreException(MeterNotFoundException.class).until(() -> registry.get("reservation.store.errors")
                .tags("domain", "outbox", "backend", "jdbc", "kind", "unavailable")
                .counter()
                .count() > 3);
    }
}
