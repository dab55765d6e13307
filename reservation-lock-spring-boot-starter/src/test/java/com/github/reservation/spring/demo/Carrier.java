// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.lease.HeldLock;
import com.github.reservation.spring.Reserved;
import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

@Service
public class Carrier {

    private final JdbcTemplate jdbc;

    public Carrier(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // @start region="future"
    @Reserved(domain = "orders", key = "#orderId")
    public CompletableFuture<String> pickUp(long orderId, HeldLock lock) {
        return askCarrier(orderId).thenApply(day -> {
            lock.ensureHeld();
            long fence = lock.fencingToken().orElseThrow();
            jdbc.update("UPDATE orders SET label = ?, fence = ? WHERE id = ? AND fence <= ?", day, fence, orderId,
                    fence);
            return day;
        });
    }
    // @end

    private static CompletableFuture<String> askCarrier(long orderId) {
        return CompletableFuture.supplyAsync(() -> orderId % 2 == 0 ? "Monday" : "Friday");
    }
}
