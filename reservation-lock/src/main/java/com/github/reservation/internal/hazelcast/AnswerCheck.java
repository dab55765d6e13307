// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import java.time.Duration;

/**
 * Says whether the answer to a call can be trusted, or a member died or fell silent meanwhile. Create it before the call, and
 * ask it after the answer.
 */
final class AnswerCheck {

    /** An answer that takes longer than this may be the answer to a second attempt of Hazelcast's own. */
    private static final Duration SLOW_ANSWER = Duration.ofMillis(50);

    /** How much later than such an answer a client hears at most that a member died. */
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    /** After this, Hazelcast may have waited for a backup that did not answer. */
    private static final Duration BACKUP_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ClusterWatch cluster;
    private final long patience;
    private final int membersGone;
    private final long asked;

    AnswerCheck(ClusterWatch cluster) {
        this(cluster, Duration.ZERO);
    }

    /** Begins with a call that waits up to {@code patience} for a lock. */
    AnswerCheck(ClusterWatch cluster, Duration patience) {
        this.cluster = cluster;
        this.patience = patience.toNanos();
        this.membersGone = cluster.membersGone();
        this.asked = System.nanoTime();
    }

    /** Returns whether a member died since the call began: its last changes may be on no backup. */
    boolean memberDied() {
        return cluster.membersGone() != membersGone;
    }

    /** Returns whether a member died since the call began, or may have fallen silent. */
    boolean isDoubtful() {
        return memberDied() || System.nanoTime() - asked > patience + BACKUP_TIMEOUT.toNanos();
    }

    /** Returns whether Hazelcast may have made the call twice, which it does by itself when a member dies before it answers. */
    boolean mayHaveRunTwice() {
        long now = System.nanoTime();
        boolean slow = now - asked > SLOW_ANSWER.toNanos();
        try {
            while (slow && !memberDied() && System.nanoTime() - now < LONGEST_DELAY.toNanos()) {
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return memberDied();
    }
}
