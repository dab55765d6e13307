// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossReason;
import com.github.reservation.internal.store.LeaseId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hears from the store that leases were lost. One of them may be granted already and not be in the table yet: whoever puts it
 * there sees that there was a signal since it asked, and looks again.
 */
final class LossSignals {

    /** A signal; each is another one, even if it says the same. */
    static final class Signal {

        final LossReason reason;

        private Signal(LossReason reason) {
            this.reason = reason;
        }
    }

    private final HoldTable holds;
    private final Losses losses;
    private volatile @Nullable Signal last;

    LossSignals(HoldTable holds, Losses losses) {
        this.holds = holds;
        this.losses = losses;
    }

    /** Returns the last signal that was heard, if there was one. */
    @Nullable Signal last() {
        return last;
    }

    void lost(Set<LeaseId> leases, LossReason reason) {
        last = new Signal(reason); // Before the look: a hold that this does not find is put after it, and sees the signal.
        losses.lose(holds.allOf(leases), reason);
    }
}
