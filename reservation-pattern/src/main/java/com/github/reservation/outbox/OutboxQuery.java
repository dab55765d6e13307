// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

/**
 * Says which events {@link Outbox#list} returns. Immutable.
 *
 * @param parkedOnly whether an event must be parked
 * @param afterId the ids that are listed are higher: the last id of the page before, or 0
 * @param limit the most events of a page, 1 to 1,000
 */
public record OutboxQuery(boolean parkedOnly, long afterId, int limit) {

    private static final int USUAL_LIMIT = 100;
    private static final int HIGHEST_LIMIT = 1_000;

    public OutboxQuery {
        if (limit < 1 || limit > HIGHEST_LIMIT) {
            throw new IllegalArgumentException("limit must be between 1 and " + HIGHEST_LIMIT + ", but is " + limit);
        }
    }

    /** Looks for all events, from the oldest on, 100 a page. */
    public static OutboxQuery all() {
        return new OutboxQuery(false, 0, USUAL_LIMIT);
    }

    /** Looks for parked events, from the oldest on, 100 a page. */
    public static OutboxQuery parked() {
        return new OutboxQuery(true, 0, USUAL_LIMIT);
    }

    /** Looks for the events after one: the next page. */
    public OutboxQuery after(long id) {
        return new OutboxQuery(parkedOnly, id, limit);
    }

    /**
     * Looks for so many events at most.
     *
     * @throws IllegalArgumentException if it is not between 1 and 1,000
     */
    public OutboxQuery atMost(int events) {
        return new OutboxQuery(parkedOnly, afterId, events);
    }
}
