// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;

/** Says what became of a call that failed, by the type of the exception that Hazelcast threw. */
final class Failures {

    private static final String SHUT_DOWN = "The Hazelcast instance is shut down";

    private Failures() {}

    /**
     * Returns what became of the call. A client that finds itself offline may have noticed at its second attempt: the first one
     * may have been carried out.
     */
    static StoreException of(Exception e) {
        return switch (e) {
            case StoreException known -> known;
            case HazelcastInstanceNotActiveException gone -> failure(Kind.UNAVAILABLE, SHUT_DOWN, gone);
            case HazelcastClientNotActiveException gone -> failure(Kind.UNAVAILABLE, SHUT_DOWN, gone);
            case SplitBrainProtectionException minority ->
                failure(Kind.UNAVAILABLE, "Split-brain protection: too few members are left of the cluster", minority);
            case IllegalArgumentException refused ->
                failure(Kind.MISCONFIGURED, "Hazelcast refuses the request", refused);
            case SecurityException denied -> failure(Kind.MISCONFIGURED, "Hazelcast denies the access", denied);
            default -> interruptOr(e);
        };
    }

    private static StoreException interruptOr(Exception e) {
        if (e instanceof InterruptedException || e.getCause() instanceof InterruptedException) {
            Thread.currentThread().interrupt(); // The core handles it, and Hazelcast does not always leave the flag up.
            return new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted while Hazelcast was asked", e);
        }
        return failure(Kind.OUTCOME_UNKNOWN, "Hazelcast gave no answer", e);
    }

    private static StoreException failure(Kind kind, String what, Exception e) {
        return new StoreException(kind, what + ": " + e.getMessage(), e);
    }
}
