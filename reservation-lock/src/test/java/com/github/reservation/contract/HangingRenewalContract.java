// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The renewals of one lease never answer. That may cost this lease, but no other one. */
@Tag("renewal")
public abstract class HangingRenewalContract extends ContractTest {

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);
    private static final Duration SHORT_LEASE = LEASE.multipliedBy(2);
    private static final LockOptions OPTIONS = LockOptions.defaults().leaseTime(SHORT_LEASE);

    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch answers = new CountDownLatch(1);
    private ScriptedStore store;
    private ReservationManager renewing;
    private LockManager locks;

    @BeforeEach
    void hang() {
        store = new ScriptedStore(backend.store());
        store.limitLeasesInACall(1);
        store.whenRenewed(DOMAIN + "::" + ID, () -> Actor.awaitUninterruptibly(answers));
        renewing = closeLater(backend.renewingNode(DOMAIN, LEASE, LONG_LEASE.multipliedBy(2), store));
        renewing.onLost(told::add);
        locks = renewing;
    }

    @AfterEach
    void answer() {
        answers.countDown();
    }

    /** Lets time pass; slowly, so that the renewing thread can keep up. */
    private void passTime(Duration duration) throws InterruptedException {
        Duration step = Duration.ofMillis(25);
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(step)) {
            backend.passTime(step);
            if (backend.isInManualTime()) {
                Thread.sleep(step);
            }
        }
    }

    @Test
    void theOthersAreRenewed() throws Exception {
        List<HeldLock> others = new ArrayList<>();
        HeldLock hanging = locks.acquire(ID, OPTIONS);
        for (int i = 0; i < 50; i++) {
            others.add(locks.acquire("other-" + i, OPTIONS));
        }

        passTime(SHORT_LEASE.multipliedBy(2));

        assertThat(hanging.isHeld()).isFalse();
        assertThat(others).allMatch(HeldLock::isHeld);
        assertThat(told).extracting(LostReservation::identifier).containsExactly(ID);
    }

    @Test
    void aShorterLeaseThatIsAcquiredMeanwhileIsRenewed() throws Exception {
        assumeTrue(backend.isInManualTime(), "Takes minutes in real time");
        locks.acquire(ID, LockOptions.defaults().leaseTime(LONG_LEASE));
        backend.passTime(LONG_LEASE.dividedBy(3));
        awaitAtRest("a renewal is sent", () -> store.calls(Op.RENEW) > 0);

        HeldLock shorter = locks.acquire("other", OPTIONS);
        passTime(SHORT_LEASE.multipliedBy(2));

        assertThat(shorter.isHeld()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void aClosedManagerSendsNothingElse() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        store.always(Op.RENEW, () -> {
            sent.countDown();
            Actor.awaitUninterruptibly(answers);
        });
        for (int i = 0; i < 10; i++) {
            locks.acquire("other-" + i, OPTIONS);
        }
        backend.await("a renewal is sent", () -> sent.getCount() == 0);
        int before = store.calls(Op.RENEW);

        renewing.close();
        passTime(LEASE.dividedBy(4));

        assertThat(store.calls(Op.RENEW)).isEqualTo(before);
    }
}
