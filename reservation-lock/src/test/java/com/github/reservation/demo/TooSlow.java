// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A holder that does not come to an end, and the next one; both write to the same table. */
final class TooSlow {

    private final Screen screen;
    private final FencedTable table = new FencedTable();
    private final CountDownLatch slowHasIt = new CountDownLatch(1);
    private final CountDownLatch nextHasIt = new CountDownLatch(1);
    private final CountDownLatch slowIsDone = new CountDownLatch(1);

    TooSlow(Screen screen) {
        this.screen = screen;
    }

    void slow(String node, Reservation order, Duration lease) throws InterruptedException {
        order.tryLock(Duration.ZERO, lease);
        long token = order.fencingToken().getAsLong();
        screen.good(node, "gets order 44, token %d", token);
        write(node, "packed", token);
        slowHasIt.countDown();
        try {
            Thread.sleep(lease.multipliedBy(4));
        } catch (InterruptedException e) {
            screen.bad(node, "is interrupted; isHeldByCurrentThread() is %s", order.isHeldByCurrentThread());
        }
        screen.say(node, "should stop here, but goes on");
        await(nextHasIt);
        write(node, "packed twice", token);
        try {
            order.unlock();
        } catch (ReservationExpiredException e) {
            screen.bad(node, "unlock() throws %s", e.getClass().getSimpleName());
        }
        slowIsDone.countDown();
    }

    void next(String node, Reservation order) throws InterruptedException {
        await(slowHasIt);
        screen.say(node, "waits for order 44");
        order.lock();
        long token = order.fencingToken().getAsLong();
        screen.good(node, "gets order 44, token %d", token);
        write(node, "shipped", token);
        nextHasIt.countDown();
        await(slowIsDone);
        screen.good(node, "is untouched; isHeldByCurrentThread() is %s", order.isHeldByCurrentThread());
        order.unlock();
        screen.good(node, "unlocks");
    }

    void sumUp() {
        screen.result("The table says \"%s\", written with token %d.", table.value(), table.fence());
    }

    private void write(String node, String value, long token) {
        if (table.write(value, token)) {
            screen.good(node, "writes \"%s\" with token %d", value, token);
        } else {
            screen.bad(node, "writes \"%s\" with token %d: rejected, seen %d", value, token, table.fence());
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The other thread did not come");
        }
    }
}
