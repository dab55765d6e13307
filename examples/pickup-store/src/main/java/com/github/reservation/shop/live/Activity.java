// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.live;

/**
 * What has happened to a customer so far. All numbers but the last only grow, so any change makes a difference.
 *
 * @param orders how many orders the customer has made
 * @param ended how many of them are no longer held
 * @param notifications how many notifications there were
 * @param unread how many of them the customer has not seen
 */
record Activity(long orders, long ended, long notifications, long unread) {

    static final Activity NONE = new Activity(0, 0, 0, 0);

    boolean sameOrders(Activity other) {
        return orders == other.orders && ended == other.ended;
    }

    boolean sameNotifications(Activity other) {
        return notifications == other.notifications && unread == other.unread;
    }
}
