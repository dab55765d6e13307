// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What the side-by-side runs measure. */
enum Measure {

    /** What one thread costs. */
    SAME_KEY("Lock and unlock: one thread, the same key", "locks/s", true),
    /** What the row of a new key costs. */
    NEW_KEYS("Lock and unlock: one thread, new keys", "locks/s", true),
    /** What a node can do. */
    DISTINCT_KEYS("Lock and unlock: 16 threads, a key for each", "locks/s", true),
    /** What is left of that where nodes compete. */
    LOCKS("Two nodes want one key: locks", "locks/s", true),
    /** Who gets the key. */
    CHANGES("Two nodes want one key: changes of node", "changes/s", true),
    /** Whether a node starves. */
    LONGEST_WAIT("Two nodes want one key: longest wait", "ms", false),
    /** How soon a waiting node notices. */
    HAND_OVER("Hand-over to a waiting node", "ms", false),
    /** How a crowd drains. */
    CROWD("A crowd of 100 threads", "ms", false),
    /** What it asks of the database meanwhile. */
    STATEMENTS("A crowd of 100 threads: statements per lock", "statements", false),
    /** Whether threads that wait are cheap. */
    WAITERS("1,000 waiting virtual threads", "ms", false),
    /** How soon a node notices that a lease has ended. */
    TAKE_OVER("Take-over of a dead lease", "ms", false),
    /** What waiting costs the database. */
    STEADY("50 nodes wait for a held key", "statements/s", false),
    /** What the expiration job can do. */
    SWEEP("Sweep of overdue rows", "rows/s", true);

    static final Set<Measure> UNCONTENDED = EnumSet.range(SAME_KEY, DISTINCT_KEYS);
    static final Set<Measure> CONTENDED = EnumSet.range(LOCKS, WAITERS);

    private final String title;
    private final String unit;
    private final boolean moreIsBetter;

    Measure(String title, String unit, boolean moreIsBetter) {
        this.title = title;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
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

    /** Returns what is done and measured, for the reader of the results. */
    String text() {
        return switch (this) {
            case SAME_KEY -> "One thread of one node locks a free key and unlocks it, again and again.";
            case NEW_KEYS -> "The same with a key that was never locked before, each time.";
            case DISTINCT_KEYS -> "16 threads of one node, 16 connections, and a free key for each thread.";
            case LOCKS -> "Two nodes with one thread each lock the same key in a loop and hold it for 1 ms, which "
                    + "limits all of them to fewer than 1,000 locks a second.";
            case CHANGES -> "How often the key went from one node to the other in the same run. A node that takes the "
                    + "key again and again starves the other one.";
            case LONGEST_WAIT -> "The longest time that a thread waited for the key in the same run.";
            case HAND_OVER -> "The time from an unlock until a node that has waited for 30 ms has the key, p50 of a "
                    + "round.";
            case CROWD -> "Four nodes with 25 threads each want one key at the same moment: the time until all of "
                    + "them have had it.";
            case STATEMENTS -> "How many statements the database executed for each lock of that crowd, without those "
                    + "that begin or end a transaction on PostgreSQL.";
            case WAITERS -> "Two nodes with 500 virtual threads each want one key: the time until all of them have "
                    + "had it.";
            case TAKE_OVER -> "A node locks a key for two seconds and dies. The time from its call until another node "
                    + "has the key; the limit is the lease itself. The contenders of a store do so at the same time: they only wait.";
            case STEADY ->
                "What all of them together ask of the database in three seconds, after the key has been held for "
                        + "three. Three rounds.";
            case SWEEP -> "Orders whose hold is overdue change their status and give their stock back. The limit is "
                    + "one statement, written by hand, for 500 orders at a time.";
        };
    }

    /** Returns the name as an option takes it, and as a file is called. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
