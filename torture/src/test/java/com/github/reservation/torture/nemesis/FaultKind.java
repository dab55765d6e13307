// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A kind of fault.
 *
 * @param weight how often it is drawn, compared with others
 * @param draw decides who suffers it and for how long
 */
public record FaultKind(String name, int weight, Function<RandomGenerator, Fault> draw) {

    /** Draws a time, in milliseconds. */
    public static Duration between(RandomGenerator random, int least, int most) {
        return Duration.ofMillis(random.nextInt(least, most + 1));
    }
}
