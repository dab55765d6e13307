// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.judge;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** What a lock protects: one row, with the fencing token of its last write, and those who believe that it is theirs. */
final class GuardedRow {

    /** Nobody else believes to hold it. */
    private static final String NOBODY = "-";

    private final Lock turn = new ReentrantLock();
    private final Map<String, Long> believers = new HashMap<>();
    private long last = Long.MIN_VALUE;
    private String writer = NOBODY;

    /**
     * What became of a write.
     *
     * @param trusted whether the writer could still trust its lease when the write came in
     * @param beside another holder that trusts its lease, too
     * @param last the greatest token before
     * @param repeated whether another acquisition has the same token
     */
    record Outcome(boolean accepted, boolean trusted, String beside, long last, boolean repeated) {

        boolean isOrdinary() {
            return accepted && trusted && beside.equals(NOBODY) && !repeated;
        }
    }

    /** Writes, by a holder that trusts its lease until then. */
    Outcome write(String grant, long fence, long until) {
        turn.lock();
        try {
            long now = System.nanoTime();
            believers.values().removeIf(end -> end <= now);
            boolean trusted = now < until;
            if (trusted) {
                believers.put(grant, until);
            }
            String beside = trusted
                    ? believers.keySet().stream().filter(other -> !other.equals(grant)).findFirst().orElse(NOBODY)
                    : NOBODY;
            Outcome outcome =
                    new Outcome(fence >= last, trusted, beside, last, fence == last && !writer.equals(grant));
            if (outcome.accepted()) {
                last = fence;
                writer = grant;
            }
            return outcome;
        } finally {
            turn.unlock();
        }
    }

    void leave(String grant) {
        turn.lock();
        try {
            believers.remove(grant);
        } finally {
            turn.unlock();
        }
    }

    /** An administrator takes the key from whoever has it. */
    void expelAll() {
        turn.lock();
        try {
            believers.clear();
        } finally {
            turn.unlock();
        }
    }
}
