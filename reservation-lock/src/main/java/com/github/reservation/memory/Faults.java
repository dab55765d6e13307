// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls to the store fail on demand. */
final class Faults {

    private record Plan(Fault fault, int calls) {

        @Nullable Plan afterOneCall() {
            return calls == Integer.MAX_VALUE ? this : calls == 1 ? null : new Plan(fault, calls - 1);
        }
    }

    private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();

    void set(Fault fault, int calls) {
        plan.set(new Plan(Objects.requireNonNull(fault, "fault must not be null"), calls));
    }

    void clear() {
        plan.set(null);
    }

    /** Does the work, unless it is to fail. */
    <T> T around(Supplier<T> work) throws StoreException {
        Plan current = plan.get() == null ? null : plan.getAndUpdate(p -> p == null ? null : p.afterOneCall());
        if (current == null) {
            return work.get();
        }
        if (current.fault == Fault.LOST_REPLY) {
            T unused = work.get();
        }
        throw new StoreException(kindOf(current.fault), "Made to fail: " + current.fault);
    }

    private static Kind kindOf(Fault fault) {
        return switch (fault) {
            case UNAVAILABLE -> Kind.UNAVAILABLE;
            case LOST_REPLY -> Kind.OUTCOME_UNKNOWN;
            case CONTENTION -> Kind.CONTENTION;
            case MISCONFIGURED -> Kind.MISCONFIGURED;
        };
    }
}
