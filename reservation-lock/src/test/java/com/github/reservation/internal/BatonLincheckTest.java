// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.Baton.Passed;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.LeaseId;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A waiter and an unlocking thread meet at a baton, in every order. */
class BatonLincheckTest {

    private static final AcquireRequest REQUEST =
            new AcquireRequest(new LeaseId("key", "holder"), Duration.ofSeconds(1), "node", true, false);

    /** The waiter here, the unlocking thread there. */
    private abstract static class Relaying implements Interleaving.Scene {

        final Baton baton = new Baton();
        volatile boolean reached;
        volatile boolean brought;

        @Override
        public void there() {
            if (baton.reach() != null) {
                reached = true;
                brought = baton.bring(new Passed.Key(new Granted(OptionalLong.of(1)), new Reading(0, 0)));
            }
        }
    }

    @Test
    void whatIsBroughtBelongsToExactlyOneOfThemWhenTheWaiterLeaves() {
        Interleaving.check(() -> new Relaying() {

            private volatile @Nullable Passed taken;

            @Override
            public void here() {
                baton.open(REQUEST);
                taken = baton.leave();
            }

            @Override
            public boolean endsWell() {
                return brought == (taken != null) && baton.reach() == null;
            }
        });
    }

    @Test
    void onlyOneOfThemAsksTheStore() {
        Interleaving.check(() -> new Relaying() {

            private volatile boolean asks;

            @Override
            public void here() {
                baton.open(REQUEST);
                asks = baton.close();
            }

            @Override
            public boolean endsWell() {
                return asks != reached && brought == reached && brought == (baton.take() != null);
            }
        });
    }

    @Test
    void aHandThatIsNotOpenIsNotReached() {
        Baton baton = new Baton();
        assertThat(baton.reach()).isNull();
        baton.open(REQUEST);

        assertThat(baton.reach()).isSameAs(REQUEST);
        assertThat(baton.reach()).isNull();
        assertThat(baton.close()).isFalse();
        baton.bringNothing();
        assertThat(baton.close()).isTrue();
        assertThat(baton.take()).isNull();
        baton.open(REQUEST);
        assertThat(baton.reach()).isSameAs(REQUEST);
    }
}
