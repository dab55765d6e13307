// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A history for tests of checks, written by hand. Times are milliseconds. */
public final class WrittenHistory {

    private final List<Call> calls = new ArrayList<>();

    /**
     * Adds a call.
     *
     * @param text {@code reserve a success token=1}: what, key, result, facts
     */
    public WrittenHistory call(String worker, long start, long end, String text) {
        return add(worker, start, Duration.ofMillis(end).toNanos(), text);
    }

    /** Adds a call that has never returned. */
    public WrittenHistory lost(String worker, long start, String text) {
        return add(worker, start, Call.NEVER, text);
    }

    private WrittenHistory add(String worker, long start, long end, String text) {
        String[] parts = text.split(" ");
        Map<String, String> facts = Arrays.stream(parts).skip(3).map(fact -> fact.split("="))
                .collect(Collectors.toMap(fact -> fact[0], fact -> fact[1]));
        calls.add(new Call(
                worker, "1", Duration.ofMillis(start).toNanos(), end, parts[0], parts[1], parts[2], facts));
        return this;
    }

    public History history() {
        return new History(calls);
    }
}
