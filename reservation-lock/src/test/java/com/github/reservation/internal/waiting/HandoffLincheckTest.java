// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.Interleaving;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.waiting.Handoff.Delivery;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A waiter and an unlocking thread meet at a handoff, in every order. */
@Tag("long")
class HandoffLincheckTest {

    private static final AcquireRequest REQUEST =
            new AcquireRequest(new LeaseId("key", "holder"), Duration.ofSeconds(1), "node", true, false);

    /** The waiter here, the unlocking thread there. */
    private abstract static class HandingOver implements Interleaving.Scene {

        final Handoff handoff = new Handoff();
        volatile boolean claimed;
        volatile boolean delivered;

        @Override
        public void there() {
            if (handoff.claim() != null) {
                claimed = true;
                delivered = handoff.deliver(new Delivery.Key(new Granted(OptionalLong.of(1)), new Reading(0, 0), null));
            }
        }
    }

    @Test
    void whatIsDeliveredBelongsToExactlyOneOfThemWhenTheWaiterLeaves() {
        Interleaving.check(() -> new HandingOver() {

            private volatile @Nullable Delivery taken;

            @Override
            public void here() {
                handoff.offer(REQUEST);
                taken = handoff.abandon();
            }

            @Override
            public boolean endsWell() {
                return delivered == (taken != null) && handoff.claim() == null;
            }
        });
    }

    @Test
    void onlyOneOfThemAsksTheStore() {
        Interleaving.check(() -> new HandingOver() {

            private volatile boolean asks;

            @Override
            public void here() {
                handoff.offer(REQUEST);
                asks = handoff.retract();
            }

            @Override
            public boolean endsWell() {
                return asks != claimed && delivered == claimed && delivered == (handoff.take() != null);
            }
        });
    }

    @Test
    void whatIsNotOfferedIsNotClaimed() {
        Handoff handoff = new Handoff();
        assertThat(handoff.claim()).isNull();
        handoff.offer(REQUEST);

        assertThat(handoff.claim()).isSameAs(REQUEST);
        assertThat(handoff.claim()).isNull();
        assertThat(handoff.retract()).isFalse();
        handoff.deliverNothing();
        assertThat(handoff.retract()).isTrue();
        assertThat(handoff.take()).isNull();
        handoff.offer(REQUEST);
        assertThat(handoff.claim()).isSameAs(REQUEST);
    }
}
