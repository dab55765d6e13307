// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

/** Says in plain words when Hazelcast is not there, or is one that we do not know. */
final class HazelcastJar {

    private static final String API = "com.hazelcast.core.HazelcastInstance";
    private static final String OWNERS_OF_LOCKS = "com.hazelcast.internal.util.ThreadUtil";

    private HazelcastJar() {}

    static void require() {
        if (!isThere(API)) {
            throw new IllegalStateException(
                    "Hazelcast is not on the class path: add com.hazelcast:hazelcast, 5.3 or newer");
        }
        if (!isThere(OWNERS_OF_LOCKS)) {
            throw new IllegalStateException("The Hazelcast on the class path has no " + OWNERS_OF_LOCKS
                    + ", which locks need: use com.hazelcast:hazelcast 5.3 to 5.7");
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
