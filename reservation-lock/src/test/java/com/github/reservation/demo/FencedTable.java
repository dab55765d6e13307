// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

/** A toy table with one row that does what {@code UPDATE … WHERE fence <= ?} does: it rejects an older token. */
final class FencedTable {

    private String value = "";
    private long fence;

    /** Returns whether the write was accepted: its token is not smaller than any that was seen before. */
    synchronized boolean write(String newValue, long token) {
        if (token < fence) {
            return false;
        }
        value = newValue;
        fence = token;
        return true;
    }

    synchronized String value() {
        return value;
    }

    synchronized long fence() {
        return fence;
    }
}
