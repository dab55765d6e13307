// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.Locale;

/**
 * What JMH measured of one operation on one backend.
 *
 * @param backend the name of the backend
 * @param score operations a second of all threads, or the microseconds of one call
 * @param p99 the 99th percentile of the microseconds of one call; NaN for a rate
 * @param bytes what the JVM allocated for one operation, in all of its threads
 */
record JmhResult(String operation, String backend, Spread score, double p99, double bytes) {

    boolean isLatency() {
        return !Double.isNaN(p99);
    }

    @Override
    public String toString() {
        return isLatency()
                ? Spread.number(score.median()) + " / " + Spread.number(p99)
                : score + "<br>" + String.format(Locale.ROOT, "%,.0f B", bytes);
    }
}
