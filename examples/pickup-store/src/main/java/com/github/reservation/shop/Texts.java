// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import java.time.Duration;
import java.util.Locale;

/** How the shop writes amounts and times. */
public final class Texts {

    private Texts() {}

    /** Returns a price, for example {@code € 39.00}. */
    public static String euros(long cents) {
        return String.format(Locale.ROOT, "€ %d.%02d", cents / 100, cents % 100);
    }

    /** Returns minutes and seconds, for example {@code 4:12}. */
    public static String minutes(long seconds) {
        return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }

    /** Returns a duration in words, for example {@code 1 minute} or {@code 90 seconds}. */
    public static String words(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds > 0 && seconds % 60 == 0 ? count(seconds / 60, "minute") : count(seconds, "second");
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }

    /** Returns seconds with one decimal, for example {@code 0.4 s}. */
    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    /** Returns the seconds until the end, rounded up; 0 if it is over. */
    public static long secondsLeft(Duration remaining) {
        return Math.max(0, (remaining.toMillis() + 999) / 1000);
    }
}
