// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

/** Checks for the Hazelcast jar, so that a missing one fails with a clear message. */
public final class HazelcastJar {

    private static final String API = "com.hazelcast.core.HazelcastInstance";

    private HazelcastJar() {}

    /**
     * Checks that Hazelcast is on the class path.
     *
     * @throws IllegalStateException if it is missing
     */
    public static void require() {
        if (!isThere(API)) {
            throw new IllegalStateException(
                    "Hazelcast is not on the class path: add com.hazelcast:hazelcast, 5.3 or newer");
        }
    }

    private static boolean isThere(String className) {
        try {
            Class.forName(className, false, HazelcastJar.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
