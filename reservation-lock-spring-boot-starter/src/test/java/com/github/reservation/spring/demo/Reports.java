// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.lease.LockManager;
import com.github.reservation.spring.CurrentReservation;
import com.github.reservation.spring.OnBusy;
import com.github.reservation.spring.ReservationManagers;
import com.github.reservation.spring.Reserved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

@Service
public class Reports {

    private final List<String> pages = new ArrayList<>();
    private final LockManager jobs;

    public Reports(ReservationManagers managers) {
        this.jobs = managers.get("jobs");
    }

    // @start region="job"
    @Scheduled(cron = "0 15 * * * *")
    @Reserved(domain = "jobs", key = "'report'", lease = "10m", onBusy = OnBusy.SKIP)
    public void report() {
        write("customers");
        CurrentReservation.get().renew(Duration.ofMinutes(10));
        write("orders");
    }
    // @end

    // @start region="executor"
    public boolean reportNow() {
        return jobs.tryRun("report", lock -> write("orders")).isExecuted();
    }
    // @end

    private void write(String page) {
        pages.add(page);
    }

    public List<String> pages() {
        return pages;
    }
}
