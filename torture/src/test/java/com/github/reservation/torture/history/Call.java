// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.history;

import java.util.Map;
import java.util.Optional;

/**
 * Something that a worker did or was told. Times are nanoseconds of the machine's monotonic clock, the same for all processes.
 *
 * @param thread the thread that did it, or {@code -} if another thread of the library told it
 * @param end when it returned; {@link #NEVER} if the process died before
 * @param what for example {@code acquire}
 * @param result for example {@code granted}; {@link #UNKNOWN} if the process died before
 * @param facts everything else
 */
public record Call(
        String worker, String thread, long start, long end, String what, String key, String result,
        Map<String, String> facts) {

    public static final long NEVER = Long.MAX_VALUE;
    public static final String UNKNOWN = "unknown";

    public Call {
        facts = Map.copyOf(facts);
    }

    public boolean is(String name) {
        return what.equals(name);
    }

    public boolean has(String expected) {
        return result.equals(expected);
    }

    public Optional<String> fact(String name) {
        return Optional.ofNullable(facts.get(name));
    }

    /** Returns a fact that must be there. */
    public String text(String name) {
        return fact(name).orElseThrow(() -> new IllegalStateException("No " + name + " in " + this));
    }

    /** Returns a fact that must be there, as a number. */
    public long number(String name) {
        return Long.parseLong(text(name));
    }
}
