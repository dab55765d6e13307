// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Makes an observation of each acquisition, so that traces show the wait for a lock. It names the domain, never the identifier. */
record AcquisitionObservations(ObservationRegistry registry) implements ReservationListener {

    /** Not {@code reservation.acquire}: that is the timer of the library, with other tags. */
    static final String NAME = "reservation.lock.acquire";

    @Override
    public Acquiring onAcquiring(String domain) {
        Observation observation = Observation.createNotStarted(NAME, registry)
                .contextualName("acquire " + domain)
                .lowCardinalityKeyValue("domain", domain)
                .start();
        Observation.Scope scope = observation.openScope();
        return (result, failure) -> {
            scope.close();
            if (failure != null) {
                observation.error(failure);
            }
            observation.lowCardinalityKeyValue("result", result).stop();
        };
    }
}
