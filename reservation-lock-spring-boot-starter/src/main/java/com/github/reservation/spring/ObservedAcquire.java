// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The wait for the lock of a {@link Reserved} method as an observation, so that traces show it. It names the domain, never the
 * identifier.
 */
record ObservedAcquire(ObservationRegistry registry, String domain) {

    /** Not {@code reservation.acquire}: that is the timer of the library, with other tags. */
    static final String NAME = "reservation.reserved.acquire";

    /** Returns what the acquisition returns. If a handler of the observation throws, the lock is released. */
    @SuppressWarnings("try") // The scope is there to be closed.
    Optional<CallLock> call(Supplier<Optional<CallLock>> acquisition) {
        Optional<CallLock> lock = Optional.empty();
        Observation observation = Observation.createNotStarted(NAME, registry)
                .contextualName("acquire " + domain)
                .lowCardinalityKeyValue("domain", domain)
                .start();
        String result = "error";
        try {
            try (Observation.Scope scope = observation.openScope()) {
                lock = acquisition.get();
                result = lock.isPresent() ? "acquired" : "busy";
            } catch (RuntimeException e) {
                observation.error(e);
                throw e;
            } finally {
                observation.lowCardinalityKeyValue("result", result).stop();
            }
        } catch (Throwable e) {
            lock.ifPresent(acquired -> releaseAfter(e, acquired));
            throw e;
        }
        return lock;
    }

    private static void releaseAfter(Throwable failure, CallLock lock) {
        try {
            lock.release();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
