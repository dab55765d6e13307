// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The values that all workers want at this moment. They change every second, so that the history of each stays short. Workers agree on them by
 * the machine's monotonic clock. Each second brings some of three kinds:
 *
 * <ul>
 *   <li>a hot one, whose claims are confirmed, extended and released all the time;
 *   <li>a hot one that is {@linkplain #isLeftAlone left alone}: most of its claims end by themselves, and somebody reserves it at once;
 *   <li>quiet ones: there a claim is over for a while, and its owner may be the first to notice.
 * </ul>
 */
final class WantedValues {

    private static final long PERIOD = Duration.ofSeconds(1).toNanos();

    /** For how many periods a value is wanted: long enough to outlive its claims. */
    private static final int PERIODS = 5;

    private static final String ALONE = "-alone";
    private static final int QUIET = 20;

    private WantedValues() {}

    static String any(RandomGenerator random) {
        long period = System.nanoTime() / PERIOD - random.nextInt(PERIODS);
        return "v" + period + switch (random.nextInt(3)) {
            case 0 -> "-hot";
            case 1 -> ALONE;
            default -> "-" + random.nextInt(QUIET);
        };
    }

    /** Returns whether owners hardly touch their claims of this value. */
    static boolean isLeftAlone(String value) {
        return value.endsWith(ALONE);
    }
}
