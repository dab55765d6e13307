// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.time.Duration;
import java.util.Locale;

/** Shows how far a run got. */
final class Progress {

    private final int steps;
    private final long start = System.nanoTime();
    private int step;

    Progress(int steps) {
        this.steps = steps;
    }

    void next(String what) {
        step++;
        System.out.printf(Locale.ROOT, "[%3d/%d %s] %s%n", step, steps, clock(), what);
    }

    /** Returns the minutes and seconds since the start. */
    String clock() {
        Duration gone = Duration.ofNanos(System.nanoTime() - start);
        return String.format(Locale.ROOT, "%02d:%02d", gone.toMinutes(), gone.toSecondsPart());
    }
}
