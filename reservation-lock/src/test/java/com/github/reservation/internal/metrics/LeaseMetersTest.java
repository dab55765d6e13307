// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationException;
import com.github.reservation.contract.Actor;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.memory.Fault;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewals, losses, near misses, failures of the store, and threads that wait. */
@Timeout(30)
class LeaseMetersTest extends MeteredManager {

    private double count(String meter, String... tags) {
        Counter counter =
                registry.find(meter).tags("domain", "orders", "backend", "memory").tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void renewalsAreCountedByTheirResult() throws Exception {
        HeldLock lock = manager.acquire("42", LockOptions.defaults().maxHold(LEASE));
        lock.renew();
        assertThat(count("reservation.renewals", "result", "renewed")).isEqualTo(1);

        store.failNext(1, Fault.UNAVAILABLE);
        assertThatThrownBy(lock::renew).isInstanceOf(ReservationException.class);
        assertThat(count("reservation.renewals", "result", "error")).isEqualTo(1);

        manager.lockProvider().release(List.of(lock.lease()));
        assertThat(lock.renew()).isFalse();
        assertThat(count("reservation.renewals", "result", "lost")).isEqualTo(1);
        assertThat(count("reservation.renewals", "result", "renewed")).isEqualTo(1);
    }

    @Test
    void automaticRenewalsAreCounted() throws Exception {
        HeldLock lock = manager.acquire("42");

        ticker.advance(LEASE.dividedBy(2));

        await().until(() -> count("reservation.renewals", "result", "renewed") == 1);
        lock.close();
    }

    @Test
    void lossesAreCountedByTheirReason() {
        reservation.lock();
        reservation.forceUnlock();
        await().until(() -> count("reservation.lost", "reason", "forced") == 1);

        manager.getReservation("43").lock();
        ticker.advance(LEASE);
        await().until(() -> count("reservation.lost", "reason", "expired") == 1);
        awaitExpired(2);
    }

    @Test
    void aReleaseWithLessThanATenthOfTheLeaseLeftIsANearMiss() {
        reservation.lock();
        ticker.advance(LEASE.multipliedBy(8).dividedBy(10));
        reservation.unlock();
        assertThat(count("reservation.near.misses")).isZero();

        reservation.lock();
        ticker.advance(LEASE.multipliedBy(92).dividedBy(100));
        reservation.unlock();
        assertThat(count("reservation.near.misses")).isEqualTo(1);
        assertThat(expired()).isZero();
    }

    @Test
    void failuresOfTheStoreAreCountedByTheirKind() {
        store.failNext(1, Fault.UNAVAILABLE);
        assertThat(reservation.tryLock()).isFalse();

        assertThat(count("reservation.store.errors", "kind", "unavailable")).isEqualTo(1);
    }

    @Test
    void theGaugeShowsWhoWaits() throws Exception {
        elsewhere().lock();
        try (Actor waiter = new Actor("waiter")) {
            Future<Boolean> waiting = waiter.startsAndWaits(
                    () -> reservation.tryLock(Duration.ofMinutes(1), LEASE));
            await().until(() -> waiting() == 1);

            waiter.thread().interrupt();
            assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        }

        assertThat(waiting()).isZero();
    }

    private double waiting() {
        return registry.get("reservation.waiting").tags("domain", "orders").gauge().value();
    }
}
