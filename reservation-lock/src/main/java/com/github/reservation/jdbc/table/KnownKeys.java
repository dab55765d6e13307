// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What was learned of keys a moment ago. For one that had a row and that nobody else wanted, a plain update is likely to do,
 * which costs a database less than an upsert. For one that others wanted, only the statement that knows of turns will. One
 * that was not met lately is new if the last of them was, as a rule: then an insert will do. Only a guess: whoever finds it
 * wrong goes the long way.
 */
final class KnownKeys {

    private static final int MOST = 10_000;

    /** Of so many keys that were not met lately, one is taken for new to find out whether they are. */
    private static final int ONE_OF = 32;

    private enum State {
        /** It had a row, and was granted. */
        FREE,
        /** It was refused. */
        CONTENDED,
        /** It was granted after it was refused: others are likely to want it still. */
        CALMING
    }

    private final Map<String, State> keys = new ConcurrentHashMap<>();
    private final AtomicInteger notMet = new AtomicInteger();
    private volatile boolean lastWasNew;

    /** Returns whether the key had a row. */
    boolean hadRow(String key) {
        return keys.containsKey(key);
    }

    /** Returns whether the key had a row and nobody else wanted it. */
    boolean isFree(String key) {
        return keys.get(key) == State.FREE;
    }

    /** Returns whether others wanted the key. */
    boolean isContended(String key) {
        State state = keys.get(key);
        return state == State.CONTENDED || state == State.CALMING;
    }

    /** Returns whether it is worth to take the key for new; {@link #wasNew} is to be told what came of it. */
    boolean isLikelyNew(String key) {
        return !hadRow(key) && (lastWasNew || notMet.incrementAndGet() % ONE_OF == 0);
    }

    /** Remembers whether a key that was likely to be new had no row. */
    void wasNew(boolean was) {
        if (lastWasNew != was) {
            lastWasNew = was;
        }
    }

    /** Remembers that a key was granted, or at least has a row. */
    void granted(String key) {
        if (!isFree(key)) {
            keys.compute(key, (k, known) -> known == State.CONTENDED ? State.CALMING : State.FREE);
            forgetIfMany();
        }
    }

    /** Remembers that others want the key. */
    void contended(String key) {
        keys.put(key, State.CONTENDED);
        forgetIfMany();
    }

    /** When there are too many it starts over, which is cheaper than to choose. */
    private void forgetIfMany() {
        if (keys.size() > MOST) {
            keys.clear();
        }
    }
}
