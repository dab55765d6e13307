// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.memory;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls to the store fail on demand. */
public final class Faults {

    private record Plan(Kind kind, String name, int calls) {

        @Nullable Plan afterOneCall() {
            return calls == Integer.MAX_VALUE ? this : calls == 1 ? null : new Plan(kind, name, calls - 1);
        }
    }

    private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();

    /**
     * Makes the next calls fail; all of them if {@code calls} is {@link Integer#MAX_VALUE}.
     *
     * @param kind how they fail; with {@link Kind#OUTCOME_UNKNOWN} the work is done first
     * @param name how the message names the fault
     */
    public void set(Kind kind, String name, int calls) {
        plan.set(new Plan(kind, name, calls));
    }

    /** Makes calls succeed again. */
    public void clear() {
        plan.set(null);
    }

    /** Does the work, unless the call has to fail. */
    <T> T around(Supplier<T> work) throws StoreException {
        Plan current = plan.get() == null ? null : plan.getAndUpdate(p -> p == null ? null : p.afterOneCall());
        if (current == null) {
            return work.get();
        }
        if (current.kind == Kind.OUTCOME_UNKNOWN) {
            T unused = work.get();
        }
        throw new StoreException(current.kind, "Made to fail: " + current.name);
    }
}
