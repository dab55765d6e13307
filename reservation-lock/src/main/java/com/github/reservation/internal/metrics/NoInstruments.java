// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.Registration;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What those use who measure nothing. */
final class NoInstruments implements Instruments {

    private static final Latest NOT_SHOWN = new Latest() {
        @Override
        public void show(double value) {}

        @Override
        public void close() {}
    };

    @Override
    public boolean areOn() {
        return false;
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
        return NOT_SHOWN;
    }
}
