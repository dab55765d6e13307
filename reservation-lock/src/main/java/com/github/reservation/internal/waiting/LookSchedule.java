// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.store.Acquisition.Refused;

/**
 * When a refused node looks at its key again, if the store does not notify it. The refusal says how likely its turn is.
 *
 * <ol>
 *   <li>The pause is a sixteenth of the time since the key was granted, within limits. So a node looks often while holds are short,
 *       rarely once the holder turns out to be slow, and is late by about a sixteenth of a hold at most.
 *   <li>A node with others ahead of it pauses longer by as many times: the turns of the others come first.
 *   <li>If the key was granted since the last look and the node has not moved up, the holder's node passes the key on among its
 *       threads, for as long as it may stay: the pause is one stay. So it is then until the last grant is older than a stay.
 *   <li>A node that the full line has no room for looks half as often as the slowest in line.
 *   <li>No pause is shorter than the look before it took: a slow store, or a slow link to it, is asked less.
 *   <li>If the store does not know when it granted the key, pauses double; and so they do while it fails.
 * </ol>
 */
final class LookSchedule {

    private static final int SHARE = 16;
    private static final int UNKNOWN = -1;

    private final PollIntervals polls;
    private final Backoff doubling;
    private final Backoff afterFailures;
    private int ahead = UNKNOWN;
    private long lookedAt;
    private boolean passedOn;

    LookSchedule(PollIntervals polls, long start) {
        this.polls = polls;
        this.doubling = polls.backoff();
        this.afterFailures = polls.backoff();
        this.lookedAt = start;
    }

    /**
     * Returns the nanoseconds to pause after the store refused the key, shortened at random.
     *
     * @param polled whether the node was in line before, and only looked
     * @param sent when the request was sent
     * @param now when the refusal came
     */
    long pauseAfter(Refused refused, boolean polled, long sent, long now) {
        long pause = refused.grantedAgo().isEmpty()
                ? doubling.next()
                : Backoff.shortened(longestPauseAfter(refused, polled, sent, now));
        return Math.max(pause, Math.min(now - sent, polls.longest().toNanos()));
    }

    /** Returns the nanoseconds to pause after the store failed. */
    long pauseAfterFailure() {
        return afterFailures.next();
    }

    /** Returns the pause before it is shortened, if the store knows when it granted the key. */
    long longestPauseAfter(Refused refused, boolean polled, long sent, long now) {
        long sinceGrant = LeaseTimes.nanos(refused.grantedAgo().orElseThrow());
        if (sinceGrant > 0) { // Else the key has no holder: it waits for a node ahead.
            boolean moved = ahead != UNKNOWN && ahead != refused.ahead();
            // Times of the store are not those of this node: only a grant that is younger than the pause was surely not seen before.
            boolean grantedSince = sinceGrant < Math.min(sent - lookedAt, Releaser.LONGEST_STAY);
            passedOn = polled && refused.queued() && grantedSince && (passedOn || !moved);
        }
        ahead = refused.ahead();
        lookedAt = now;

        long step = polls.clamp(passedOn ? Releaser.LONGEST_STAY : sinceGrant / SHARE);
        boolean outside = ahead > 0 && !refused.queued();
        long longest = polls.longest().toNanos();
        return Math.min(outside ? 2 * longest : longest, step * (1 + ahead));
    }
}
