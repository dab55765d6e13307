// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An interrupt comes while the store is asked. */
public abstract class InterruptedCallContract extends OnScriptedStore {

    @Test
    void anInterruptThatBreaksTheCallIsNoStoreFailure_lockGoesOn() {
        store.next(Op.ACQUIRE, true, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        reservation.lock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
    }

    @Test
    void anInterruptThatBreaksTheCallEndsAnInterruptibleWait_andWhatWasGrantedIsUndone() throws Exception {
        store.next(Op.ACQUIRE, true, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        assertThatThrownBy(() -> reservation.tryLock(Duration.ofHours(1), LONG_LEASE))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        backend.await("the grant is undone", () -> !otherNode.getReservation(ID).isLocked());
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    void anInterruptThatBreaksAReleaseIsKept_andTheKeyIsFree() {
        reservation.lock();
        store.next(Op.RELEASE, false, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        reservation.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void theInterruptFlagIsDownWhileTheStoreIsAsked() {
        AtomicBoolean flag = new AtomicBoolean(true);
        store.next(Op.ACQUIRE, false, () -> flag.set(Thread.currentThread().isInterrupted()));
        Thread.currentThread().interrupt();

        assertThat(reservation.tryLock()).isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(flag).isFalse();
        reservation.unlock();
    }

    @Test
    void interruptsThatBreakOneCallAfterAnotherDoNotMakeLockFail() {
        ScriptedStore.Event interrupt = () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        };
        for (int i = 0; i < 10; i++) {
            store.next(Op.ACQUIRE, false, interrupt);
            store.next(Op.FIND, false, interrupt);
        }

        reservation.lock();
        store.next(Op.FIND, false, interrupt);
        assertThat(reservation.isLocked()).isTrue();
        store.next(Op.FORCE_RELEASE, false, interrupt);
        reservation.forceUnlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isLocked()).isFalse();
    }
}
