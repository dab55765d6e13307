// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import java.time.Duration;

/** What can make an answer of the cluster doubtful; made before the question, looked at after the answer. */
final class Doubt {

    /** No answer takes that long, unless Hazelcast has asked again. */
    private static final Duration LONG_FOR_AN_ANSWER = Duration.ofMillis(50);

    /** How much later than an answer of the others a client hears at most that a member is gone. */
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    /** After this, Hazelcast may have waited for a backup in vain. */
    private static final Duration LONG_FOR_A_BACKUP = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ClusterWatch cluster;
    private final long patience;
    private final int membersGone;
    private final long asked;

    /** Begins with a question that may take {@code patience} to be answered. */
    Doubt(ClusterWatch cluster, Duration patience) {
        this.cluster = cluster;
        this.patience = patience.toNanos();
        this.membersGone = cluster.membersGone();
        this.asked = System.nanoTime();
    }

    /** Returns whether a member died meanwhile: what it has done last may be on no backup. */
    boolean aMemberDied() {
        return cluster.membersGone() != membersGone;
    }

    /** Returns whether a member died meanwhile, or may have fallen silent. */
    boolean isThere() {
        return aMemberDied() || System.nanoTime() - asked > patience + LONG_FOR_A_BACKUP.toNanos();
    }

    /**
     * Returns whether a question may have been asked twice, because a member died that had the answer. Hazelcast does that by
     * itself, and does not tell.
     */
    boolean mayHaveAskedTwice() {
        long now = System.nanoTime();
        boolean took = now - asked > LONG_FOR_AN_ANSWER.toNanos();
        try {
            while (took && !aMemberDied() && System.nanoTime() - now < LONGEST_DELAY.toNanos()) {
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return aMemberDied();
    }
}
