// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.AcquisitionObserver;
import com.github.reservation.internal.base.Guard;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An observer that never harms a lock, see {@link Guard}. */
public final class GuardedObserver implements AcquisitionObserver {

    private static final Observed NOTHING = (result, failure) -> {};

    private final AcquisitionObserver observer;
    private final Guard guard;

    private GuardedObserver(AcquisitionObserver observer) {
        this.observer = observer;
        this.guard = Guard.of(observer);
    }

    /** Guards an observer; if there is none, returns one that does nothing. */
    public static AcquisitionObserver of(@Nullable AcquisitionObserver observer) {
        return observer == null ? domain -> NOTHING : new GuardedObserver(observer);
    }

    @Override
    public Observed begin(String domain) {
        AtomicReference<Observed> begun = new AtomicReference<>(NOTHING);
        guard.run(() -> begun.set(observer.begin(domain)));
        return (result, failure) -> guard.run(() -> begun.get().end(result, failure));
    }
}
