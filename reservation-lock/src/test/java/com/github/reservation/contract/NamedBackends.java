// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

/** Runs the code of a test as if {@code -Dbackends} had another value, until it is closed. Only for tests that run alone. */
public final class NamedBackends implements AutoCloseable {

    private final String before = System.getProperty(Backend.PROPERTY, "");

    public NamedBackends(String list) {
        System.setProperty(Backend.PROPERTY, list);
    }

    @Override
    public void close() {
        System.setProperty(Backend.PROPERTY, before);
    }
}
