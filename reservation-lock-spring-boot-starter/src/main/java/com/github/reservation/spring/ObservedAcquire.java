// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.BooleanSupplier;

/**
 * The wait for the lock of a {@link Reserved} method as an observation, so that traces show it. It names the domain, never the
 * identifier.
 */
record ObservedAcquire(ObservationRegistry registry, String domain) {

    /** Not {@code reservation.acquire}: that is the timer of the library, with other tags. */
    static final String NAME = "reservation.reserved.acquire";

    /** Returns what the acquisition returns. */
    @SuppressWarnings("try") // The scope is there to be closed.
    boolean call(BooleanSupplier acquisition) {
        Observation observation = Observation.createNotStarted(NAME, registry)
                .contextualName("acquire " + domain)
                .lowCardinalityKeyValue("domain", domain)
                .start();
        String result = "error";
        try (Observation.Scope scope = observation.openScope()) {
            boolean acquired = acquisition.getAsBoolean();
            result = acquired ? "acquired" : "busy";
            return acquired;
        } catch (RuntimeException e) {
            observation.error(e);
            throw e;
        } finally {
            observation.lowCardinalityKeyValue("result", result).stop();
        }
    }
}
