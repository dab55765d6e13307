// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.Acquisition.Refused;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Acquires a lease that the thread does not have yet: asks once, past the queue, or waits in a {@link WaitLoop}. */
final class Acquirer {

    /** How an acquisition ended, unless it was interrupted. */
    sealed interface Outcome {

        record Acquired(Hold hold) implements Outcome {}

        record TimedOut() implements Outcome {}

        record Failed(StoreException failure) implements Outcome {}
    }

    private final Core core;
    private final BooleanSupplier closed;

    Acquirer(Core core, BooleanSupplier closed) {
        this.core = core;
        this.closed = closed;
    }

    Outcome acquire(String identifier, String key, Duration leaseTime, Patience patience) throws InterruptedException {
        try (Attempt attempt = new Attempt(core, identifier, key, leaseTime, patience)) {
            if (patience.waits()) {
                return new WaitLoop(core, key, leaseTime, patience, attempt, closed).run();
            }
            return switch (attempt.ask()) {
                case Granted granted -> new Outcome.Acquired(attempt.hold(granted));
                case Refused refused -> new Outcome.TimedOut();
            };
        } catch (StoreException e) {
            return new Outcome.Failed(e);
        }
    }
}
