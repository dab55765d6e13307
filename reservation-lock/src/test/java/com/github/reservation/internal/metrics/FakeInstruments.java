// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.Registration;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Instruments that are on and measure nothing, for tests that override what they look at. */
public class FakeInstruments implements Instruments {

    @Override
    public boolean areOn() {
        return true;
    }

    @Override
    public void count(Meter meter, double amount, String... tags) {}

    @Override
    public void time(Meter meter, Duration elapsed, String... tags) {}

    @Override
    public void record(Meter meter, double value, String... tags) {}

    @Override
    public Registration sum(Meter meter, IntSupplier source, String... tags) {
        return () -> {};
    }

    @Override
    public Latest latest(Meter meter, String... tags) {
        return NONE.latest(meter, tags);
    }
}
