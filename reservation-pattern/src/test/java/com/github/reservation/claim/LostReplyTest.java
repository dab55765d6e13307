// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Success;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store does what it was asked to, and its answer gets lost; or it does not answer at all. */
abstract class LostReplyTest extends ClaimTest {

    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicReference<Kind> kind = new AtomicReference<>(Kind.OUTCOME_UNKNOWN);
    private Claims node;

    @BeforeEach
    void openLossyNode() {
        ClaimStore lossy = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[]{ClaimStore.class}, (proxy, method, arguments) -> {
                    if (kind.get() != Kind.OUTCOME_UNKNOWN) {
                        throw new StoreException(kind.get(), "scripted");
                    }
                    try {
                        Object answer = method.invoke(backend.store(), arguments);
                        if (lost.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                            throw new StoreException(Kind.OUTCOME_UNKNOWN, "scripted");
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        node = ClaimBackend.node(lossy);
    }

    @Test
    void aReservationWhoseReplyWasLostFindsItself() {
        lost.set(1);
        Success reserved = reserved(node, ALICE, LONG);

        assertThat(reserved.version()).as("it was reserved once").isOne();
        assertThat(claims.getReservation(reserved.reservationId()).version()).isOne();
        assertThat(claims.reserve(EMAIL, ALICE, LONG)).isInstanceOf(Conflict.class);
        assertThat(claims.confirm(reserved.reservationId(), reserved.token(), "user 1").status())
                .isEqualTo("success");
    }

    @Test
    void aConflictWhoseReplyWasLostIsAConflict() {
        reserved(claims, ALICE, LONG);
        lost.set(2);

        assertThat(node.reserve(EMAIL, ALICE, LONG)).isInstanceOf(Conflict.class);
    }

    @Test
    void aConfirmationWhoseReplyWasLostFindsItself() {
        Success reserved = reserved(node, ALICE, LONG);
        lost.set(1);

        ConfirmResult.Success confirmed =
                (ConfirmResult.Success) node.confirm(reserved.reservationId(), reserved.token(), "user 1");

        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.confirmedAt()).hasValue(confirmed.confirmedAt());
        assertThat(claim.version()).isEqualTo(2);
        lost.set(1);
        assertThat(node.confirm(reserved.reservationId(), reserved.token(), "user 2").status())
                .as("another entity is not itself")
                .isEqualTo("error");
    }

    @Test
    void aReleaseWhoseReplyWasLostFindsItself() {
        Success reserved = reserved(node, ALICE, LONG);
        lost.set(1);
        assertThat(node.release(reserved.reservationId(), reserved.token()).status()).isEqualTo("success");

        Success next = reserved(node, ALICE, LONG);
        node.confirm(next.reservationId(), next.token(), "user 1");
        lost.set(1);
        assertThat(node.releaseConfirmed(next.key(), "user 1").status()).isEqualTo("success");
    }

    @Test
    void anExtensionWhoseReplyWasLostIsMade() {
        Success reserved = reserved(node, ALICE, LONG);
        lost.set(1);

        assertThat(node.extend(reserved.reservationId(), reserved.token(), LONG.plusMinutes(1)).status())
                .isEqualTo("success");
    }

    @Test
    void aStoreThatDoesNotAnswerIsAnException_neverAConflict() {
        kind.set(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> node.reserve(EMAIL, ALICE, LONG)).isInstanceOf(ReservationException.class);
        assertThatThrownBy(() -> node.isAvailable(EMAIL, ALICE)).isInstanceOf(ReservationException.class);
        assertThatThrownBy(() -> node.expireReservations(1)).isInstanceOf(ReservationException.class);
        kind.set(Kind.OUTCOME_UNKNOWN);
        lost.set(Integer.MAX_VALUE);
        assertThatThrownBy(() -> node.reserve(EMAIL, ALICE, LONG)).isInstanceOf(ReservationException.class);
    }
}
