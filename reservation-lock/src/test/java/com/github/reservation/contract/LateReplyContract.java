// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store answers so late that the lease is over, or nearly. */
public abstract class LateReplyContract extends OnScriptedStore {

    @Test
    void aGrantThatArrivesAfterItsTimeIsNotTrusted_andGivenBack() throws Exception {
        store.next(Op.ACQUIRE, true, () -> backend.passTime(LEASE.minusMillis(20)));

        assertThat(reservation.tryLock()).isFalse();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        backend.await("it was given back", () -> store.calls(Op.RELEASE) > 0);
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void theLeaseIsCountedFromBeforeTheRequestWasSent() {
        Duration slow = LEASE.dividedBy(4);
        store.next(Op.ACQUIRE, true, () -> backend.passTime(slow));

        reservation.lock();

        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE.minus(slow));
        store.next(Op.RENEW, true, () -> backend.passTime(slow));
        assertThat(reservation.renew()).isTrue();
        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE.minus(slow));
        reservation.unlock();
    }

    @Test
    void aLeaseFoundByLookingIsCountedFromBeforeTheQuestionInDoubt() {
        store.loseNextReply(Op.ACQUIRE);
        Duration slow = LEASE.dividedBy(2);
        store.next(Op.FIND, false, () -> backend.passTime(slow));

        reservation.lock(LONG_LEASE);

        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LONG_LEASE.minus(slow));
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void aRenewalThatAnswersAfterTheLeaseWasOverIsALoss() {
        reservation.lock();
        store.next(Op.RENEW, false, () -> backend.passTime(LEASE.minusMillis(20)));

        assertThat(reservation.renew(Duration.ofMillis(10))).isFalse();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aRelockWhoseRenewalFailsAfterTheLeaseWasOverAcquiresAnew() {
        reservation.lock();
        store.next(Op.RENEW, false, () -> {
            backend.passTime(LEASE);
            throw new StoreException(Kind.UNAVAILABLE, "A slow failure");
        });

        reservation.lock();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }
}
