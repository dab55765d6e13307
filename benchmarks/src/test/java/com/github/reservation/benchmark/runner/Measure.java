// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What the side-by-side runs measure. */
enum Measure {

    SAME_KEY("Lock and unlock: one thread, the same key", "locks/s", true,
            "One thread of one node locks a free key and unlocks it, again and again."), NEW_KEYS(
                    "Lock and unlock: one thread, new keys", "locks/s", true,
                    "The same with a key that was never locked before, each time."), DISTINCT_KEYS(
                            "Lock and unlock: 16 threads, a key for each", "locks/s", true,
                            "16 threads of one node, 16 connections, and a free key for each thread."), LOCKS(
                                    "Two nodes want one key: locks", "locks/s", true,
                                    "Two nodes with one thread each lock the same key in a loop and hold it for 1 ms, which limits all of them to"
                                            + " fewer than 1,000 locks a second."), CHANGES(
                                                    "Two nodes want one key: changes of node", "changes/s", true,
                                                    "How often the key went from one node to the other in the same run. A node that takes the key again and again"
                                                            + " starves the other one."), LONGEST_WAIT(
                                                                    "Two nodes want one key: longest wait", "ms", false,
                                                                    "The longest time that a thread waited for the key in the same run."), HAND_OVER(
                                                                            "Hand-over", "ms", false,
                                                                            "The time from an unlock until a node that has waited for 30 ms has the key, p50 of a round."), CROWD(
                                                                                    "A crowd", "ms", false,
                                                                                    "Four nodes with 25 threads each want one key at the same moment: the time until all of them have had it."), STATEMENTS(
                                                                                            "A crowd of 100 threads: statements per lock",
                                                                                            "statements", false,
                                                                                            "How many statements the database executed for each lock of that crowd, without those that begin or end a"
                                                                                                    + " transaction on PostgreSQL."), WAITERS(
                                                                                                            "1,000 waiting virtual threads",
                                                                                                            "ms", false,
                                                                                                            "Two nodes with 500 virtual threads each want one key: the time until all of them have had it."), TAKE_OVER(
                                                                                                                    "Take-over of a dead lease",
                                                                                                                    "ms",
                                                                                                                    false,
                                                                                                                    "A node locks a key for two seconds and dies. The time from its call until another node has the key; the limit"
                                                                                                                            + " is the lease itself."), STEADY(
                                                                                                                                    "50 nodes wait for a held key",
                                                                                                                                    "statements/s",
                                                                                                                                    false,
                                                                                                                                    "What all of them together ask of the database while the key stays held."), SWEEP(
                                                                                                                                            "Sweep of overdue rows",
                                                                                                                                            "rows/s",
                                                                                                                                            true,
                                                                                                                                            "Orders whose hold is overdue change their status and give their stock back. The limit is one statement, written"
                                                                                                                                                    + " by hand, for 500 orders at a time.");

    static final Set<Measure> UNCONTENDED = EnumSet.range(SAME_KEY, DISTINCT_KEYS);
    static final Set<Measure> CONTENDED = EnumSet.range(LOCKS, WAITERS);

    private final String title;
    private final String unit;
    private final boolean moreIsBetter;
    private final String text;

    Measure(String title, String unit, boolean moreIsBetter, String text) {
        this.title = title;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
        this.text = text;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }

    String text() {
        return text;
    }

    /** Returns the name as an option takes it, and as a file is called. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
