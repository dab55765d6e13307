// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.util.List;

/**
 * A lane that this instance has leased, and the page of events that was read from it.
 *
 * @param takenAt a time before the lease began
 * @param trustedUntil until when no other instance can have the lane
 * @param readAt when the page was read
 * @param groups those that are not settled
 * @param full whether there may be more events
 */
record OpenLane(int number, long takenAt, long trustedUntil, long readAt, List<KeyGroup> groups, boolean full) {

    boolean isOver() {
        return groups.stream().allMatch(KeyGroup::isOver);
    }
}
