// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossReason;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Renewal against release against loss, in every order of their steps. The holder's thread extends and ends the grant;
 * the watch and the signals of the store declare it lost. At {@link #LATE} the lease is overdue, unless it was renewed.
 */
@Tag("long")
public class GrantLincheckTest {

    private static final Duration LEASE = Duration.ofMillis(100);
    private static final Duration RENEWED_LEASE = Duration.ofSeconds(10);
    private static final Reading START = new Reading(0, 0);
    private static final Reading LATE = START.plus(Duration.ofMillis(80));

    private final Grant grant =
            new Grant("42", new LeaseId("orders::42", "me"), OptionalLong.empty(), Thread.currentThread(), START, LEASE,
                    0);

    @Test
    void aGrantEndsOnceAndIsNotRenewedAfterwards() {
        new ModelCheckingOptions()
                .iterations(25)
                .invocationsPerIteration(100)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .sequentialSpecification(Model.class)
                .check(GrantLincheckTest.class);
    }

    @Operation(nonParallelGroup = "holder")
    public boolean extend() {
        return grant.extend(START, RENEWED_LEASE, 0);
    }

    @Operation(nonParallelGroup = "holder")
    public boolean extendForLess() {
        return grant.extend(START, LEASE.dividedBy(2), 0);
    }

    @Operation(nonParallelGroup = "holder")
    public boolean end() {
        return grant.end(LATE.nanos());
    }

    @Operation
    public boolean lose() {
        return grant.lose(LossReason.FORCED, LATE.nanos());
    }

    @Operation
    public boolean loseIfOverdue() {
        return grant.loseIfOverdue(LATE);
    }

    @Operation
    public boolean isTrusted() {
        return grant.trustedFor(LATE) > 0;
    }

    @Operation
    public boolean isHeld() {
        return grant.isHeld();
    }

    @Operation
    public boolean isSurelyLost() {
        return grant.isSurelyLost();
    }

    /** The same, one step at a time. */
    public static class Model {

        private boolean held = true;
        private boolean renewed;
        private boolean forced;

        public boolean extend() {
            renewed |= held;
            return held;
        }

        public boolean extendForLess() {
            return held;
        }

        public boolean end() {
            return leave();
        }

        public boolean lose() {
            forced |= held;
            return leave();
        }

        public boolean loseIfOverdue() {
            return !renewed && leave();
        }

        public boolean isTrusted() {
            return held && renewed;
        }

        public boolean isHeld() {
            return held;
        }

        public boolean isSurelyLost() {
            return forced;
        }

        private boolean leave() {
            boolean was = held;
            held = false;
            return was;
        }
    }
}
