// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last values of a number, oldest first. Thread-safe. */
final class Series {

    private final int length;
    private final Deque<Double> values = new ArrayDeque<>();

    Series(int length) {
        this.length = length;
    }

    synchronized void add(double value) {
        if (values.size() == length) {
            values.removeFirst();
        }
        values.addLast(value);
    }

    synchronized List<Double> values() {
        return List.copyOf(values);
    }
}
