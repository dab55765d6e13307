// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.ExpirationTally;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.function.Supplier;

/** A source each of whose runs is an observation, so that traces show it with the statements inside. */
record ObservedSource(ExpirationSource source, Supplier<ObservationRegistry> registry) implements ExpirationSource {

    /** Not the name of a meter of the job: those have other tags. */
    static final String NAME = "reservation.expiration.sweep";

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public Duration interval() {
        return source.interval();
    }

    @Override
    public void expire(ExpirationTally tally) throws Exception {
        Observation.createNotStarted(NAME, registry.get())
                .contextualName("expire " + name())
                .lowCardinalityKeyValue("source", name())
                .observeChecked(() -> source.expire(tally));
    }

    @Override
    public Duration lag() throws Exception {
        return source.lag();
    }
}
