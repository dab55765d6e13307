// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that hangs and swallows its interrupts: it stops its own source and nothing else. It reads the log. */
@Timeout(60)
class HangingWorkTest extends OnPickupStore {

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void otherSourcesExpireTheirRows_andTheJobCanBeClosed() {
        store.hold(1);
        store.hold("EXPRESS", "RESERVED", Duration.ofHours(1), 2);
        ExpirationSource express = TableExpirationSource.builder("express", PickupOrder::read)
                .dataSource(store.dataSource())
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at")
                .where("order_type = 'EXPRESS'")
                .build();
        ExpirationSource hanging = store.source()
                .timeLimit(Duration.ofMillis(100))
                .expireBatch((tx, batch) -> hang())
                .build();
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            ExpirationJob job = ExpirationJob.builder()
                    .source(hanging)
                    .source(express)
                    .closeTimeout(Duration.ofMillis(100))
                    .build()
                    .start();
            await().until(() -> store.status(2).equals("EXPIRED"));
            await().until(() -> warnings.texts().stream()
                    .anyMatch(text -> text.startsWith("The work of source pickup-orders goes on")));

            long start = System.nanoTime();
            job.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(warnings.texts()).anyMatch(
                    text -> text.startsWith("The job is closed, but a run of source pickup-orders has not ended"));
            mayEnd.countDown();
            await().until(() -> job.lastRun().orElseThrow().sources().size() == 2);
            assertThat(store.status(1)).as("rolled back").isEqualTo("RESERVED");
        } finally {
            mayEnd.countDown();
        }
    }

    private void hang() {
        while (mayEnd.getCount() > 0) {
            try {
                mayEnd.await();
            } catch (InterruptedException swallowed) {
                // As a loop that waits for a socket.
            }
        }
    }
}
