// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import org.jspecify.annotations.Nullable;

/** Says what became of a call that failed, by the type of the exception that Hazelcast threw. */
final class Failures {

    private static final String SHUT_DOWN = "The Hazelcast instance is shut down";

    private Failures() {}

    /**
     * Returns what became of the call. A client that finds itself offline may have noticed at its second attempt: the first one
     * may have been carried out.
     */
    static StoreException of(RuntimeException e) {
        return switch (e) {
            case HazelcastInstanceNotActiveException gone -> unavailable(SHUT_DOWN, gone);
            case HazelcastClientNotActiveException gone -> unavailable(SHUT_DOWN, gone);
            case SplitBrainProtectionException minority ->
                unavailable("Split-brain protection: too few members are left of the cluster", minority);
            case IllegalArgumentException refused -> misconfigured("Hazelcast refuses the request", refused);
            case SecurityException denied -> misconfigured("Hazelcast denies the access", denied);
            default ->
                new StoreException(Kind.OUTCOME_UNKNOWN, "Hazelcast gave no answer: " + e.getMessage(), e);
        };
    }

    /** Returns whether the instance is shut down, for good. */
    static boolean isShutDown(@Nullable Throwable e) {
        return e instanceof HazelcastInstanceNotActiveException || e instanceof HazelcastClientNotActiveException;
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
