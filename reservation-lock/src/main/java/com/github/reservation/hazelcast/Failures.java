// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;

/** Says what became of a call that failed, by the type of what Hazelcast threw. */
final class Failures {

    private Failures() {}

    static StoreException of(RuntimeException e) {
        return switch (e) {
            case HazelcastInstanceNotActiveException gone -> unavailable("The Hazelcast instance is shut down", gone);
            case HazelcastClientOfflineException offline -> unavailable("The client is not connected", offline);
            case SplitBrainProtectionException minority ->
                unavailable("Split-brain protection: too few members are left of the cluster", minority);
            case IllegalArgumentException refused -> misconfigured("Hazelcast refuses the request", refused);
            case SecurityException denied -> misconfigured("Hazelcast denies the access", denied);
            default ->
                new StoreException(Kind.OUTCOME_UNKNOWN, "Hazelcast gave no answer: " + e.getMessage(), e);
        };
    }

    /** Returns whether the calling thread was interrupted. */
    static boolean isInterrupt(RuntimeException e) {
        return e instanceof HazelcastException && e.getCause() instanceof InterruptedException;
    }

    private static StoreException unavailable(String what, RuntimeException e) {
        return new StoreException(Kind.UNAVAILABLE, what + ": " + e.getMessage(), e);
    }

    private static StoreException misconfigured(String what, RuntimeException e) {
        return new StoreException(Kind.MISCONFIGURED, what + ": " + e.getMessage(), e);
    }
}
