// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.lease.HeldLock;
import com.github.reservation.memory.InMemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** {@link Reserved} methods that return a future. */
class FutureOrders {

    private volatile HeldLock last;

    static ApplicationContextRunner runner() {
        return Starter.inMemory()
                .withBean(InMemoryStore.class)
                .withBean(FutureOrders.class)
                .withPropertyValues("reservation.reserved.max-wait=0s");
    }

    /** Returns whether the store has the lock of order 42. */
    static boolean isLocked(AssertableApplicationContext context) {
        return context.getBean(ReservationManagers.class).get("orders").getReservation("42").isLocked();
    }

    public HeldLock last() {
        return last;
    }

    @Reserved(domain = "orders", key = "#id")
    public CompletableFuture<String> work(String id, Supplier<CompletableFuture<String>> work) {
        return work.get();
    }

    @Reserved(domain = "orders", key = "#id")
    public CompletionStage<String> stage(String id, CompletionStage<String> work) {
        return work;
    }

    @Reserved(domain = "orders", key = "#id", onBusy = OnBusy.SKIP)
    public CompletableFuture<String> skipped(String id) {
        return CompletableFuture.completedFuture("ran");
    }

    @Reserved(domain = "orders", key = "#id", lease = "2s")
    public CompletableFuture<String> renewed(String id, @Nullable HeldLock lock, CompletableFuture<String> work) {
        last = lock;
        return work;
    }

    @Reserved(domain = "orders", key = "#id", lease = "500ms")
    public CompletableFuture<String> shortLease(
            String id, @Nullable HeldLock lock, CompletableFuture<String> work) {
        last = lock;
        return work;
    }
}
