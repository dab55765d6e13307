// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.spring.CurrentReservation;
import com.github.reservation.spring.OnBusy;
import com.github.reservation.spring.Reserved;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Shipping {

    private final JdbcTemplate jdbc;

    public Shipping(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // @start region="reserved"
    @Reserved(domain = "orders", key = "#orderId")
    @Transactional
    public void ship(long orderId) {
        int parcels = jdbc.queryForObject("SELECT parcels FROM orders WHERE id = ?", Integer.class, orderId);
        jdbc.update("UPDATE orders SET parcels = ? WHERE id = ?", parcels + 1, orderId);
    }
    // @end

    // @start region="scheduled"
    @Scheduled(cron = "0 0 3 * * *")
    @Reserved(domain = "jobs", key = "'nightly-report'", lease = "30m", onBusy = OnBusy.SKIP)
    public void nightlyReport() {
        jdbc.update("INSERT INTO report (created) VALUES (CURRENT_DATE)");
    }
    // @end

    // @start region="fencing"
    @Reserved(domain = "orders", key = "#orderId")
    public void label(long orderId) {
        long fence = CurrentReservation.fencingToken().orElseThrow();
        jdbc.update("UPDATE orders SET label = 'printed', fence = ? WHERE id = ? AND fence <= ?", fence, orderId,
                fence);
    }
    // @end
}
