// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.spring.ReservationManagers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.springframework.stereotype.Service;

@Service
public class Stock {

    private final AtomicInteger changes = new AtomicInteger();
    private final ReservationManager articles;

    public Stock(ReservationManagers managers) {
        this.articles = managers.get("articles");
    }

    // @start region="registry"
    public void change(String article) {
        Lock lock = articles.getReservation(article);
        lock.lock();
        try {
            write(article);
        } finally {
            lock.unlock();
        }
    }

    public boolean changeWithin(String article, Duration wait) throws InterruptedException {
        LockOptions options = LockOptions.defaults().waitTime(wait);
        return articles.tryRun(article, options, held -> write(article)).isExecuted();
    }
    // @end

    // @start region="redisson"
    public boolean changeInTime(String article) throws InterruptedException {
        Reservation lock = articles.getReservation(article);
        if (!lock.tryLock(Duration.ofSeconds(5), Duration.ofSeconds(30))) {
            return false;
        }
        try {
            write(article, lock.fencingToken().orElseThrow());
            return true;
        } finally {
            lock.unlock();
        }
    }
    // @end

    // @start region="async"
    public CompletableFuture<Void> changeLater(String article) throws InterruptedException {
        HeldLock lock = articles.acquire(article, LockOptions.defaults().maxHold(Duration.ofMinutes(5)));
        return CompletableFuture.runAsync(() -> {
            try (lock) {
                write(article);
            }
        });
    }
    // @end

    private void write(String article) {
        changes.incrementAndGet();
    }

    private void write(String article, long fence) {
        changes.incrementAndGet();
    }

    public int changes() {
        return changes.get();
    }
}
