// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.ShopProperties;
import com.github.reservation.spring.CurrentReservation;
import com.github.reservation.spring.Reserved;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/**
 * Counts the shelves of a store: in the whole cluster one count for each store at a time. The first two methods do not wait for the
 * lock, so a second click is refused at once.
 */
@Component
class Shelves {

    static final String DOMAIN = "stock-count";

    private final CountBook book;
    private final Duration takes;

    Shelves(CountBook book, ShopProperties shop) {
        this.book = book;
        this.takes = shop.count().takes();
    }

    @Reserved(domain = DOMAIN, key = "#storeId", lease = "${shop.count.lease}", maxWait = "0s")
    public Written count(long storeId, String counter) throws InterruptedException {
        long fence = fence();
        book.start(storeId, counter, fence);
        Thread.sleep(takes); // Somebody walks along the shelves.
        return write(storeId, counter, fence);
    }

    /** Takes longer than its lease: {@code pause} returns when another count has taken over the lock. */
    @Reserved(domain = DOMAIN, key = "#storeId", lease = "${shop.count.slow-lease}", maxWait = "0s")
    public void countSlowly(long storeId, String counter, Pause pause, Consumer<Written> result)
            throws InterruptedException {
        long fence = fence();
        book.start(storeId, counter, fence);
        pause.await(fence);
        result.accept(write(storeId, counter, fence));
    }

    /** Waits for the lock, and counts quickly. */
    @Reserved(domain = DOMAIN, key = "#storeId", lease = "${shop.count.lease}", maxWait = "${shop.count.lease}")
    public Written takeOver(long storeId, String counter) {
        long fence = fence();
        book.start(storeId, counter, fence);
        return write(storeId, counter, fence);
    }

    /** Hazelcast has no tokens: without them every write is accepted, however late it is. */
    private static long fence() {
        return CurrentReservation.fencingToken().orElse(0);
    }

    private Written write(long storeId, String counter, long fence) {
        int units = book.units(storeId);
        return new Written(book.write(storeId, counter, units, fence), units, fence);
    }

    /** What a slow count does instead of counting. */
    interface Pause {

        void await(long fence) throws InterruptedException;
    }

    /** A write that the book has accepted or refused. */
    record Written(boolean accepted, int units, long fence) {}
}
