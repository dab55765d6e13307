// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

/**
 * What the next page tells the viewer.
 *
 * @param kind {@code success} or {@code error}
 */
public record Message(String kind, String text) {

    /** It worked. */
    public static Message success(String text) {
        return new Message("success", text);
    }

    /** It did not work. */
    public static Message error(String text) {
        return new Message("error", text);
    }
}
