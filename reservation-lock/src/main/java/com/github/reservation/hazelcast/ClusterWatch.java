// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import java.util.UUID;

/** Notices when this client or member is cut off from its cluster, which then frees what it holds. */
final class ClusterWatch {

    private final HazelcastInstance instance;
    private final Calls calls;
    private final Runnable cutOff;
    private final UUID registration;

    ClusterWatch(HazelcastInstance instance, Calls calls, Runnable cutOff) {
        this.instance = instance;
        this.calls = calls;
        this.cutOff = cutOff;
        this.registration = instance.getLifecycleService().addLifecycleListener(this::stateChanged);
    }

    private void stateChanged(LifecycleEvent event) {
        switch (event.getState()) {
            case CLIENT_DISCONNECTED -> {
                calls.goOffline();
                cutOff.run();
            }
            case CLIENT_CONNECTED -> calls.goOnline();
            // A member that merges into another cluster comes there as a new one.
            case MERGING, SHUTTING_DOWN -> cutOff.run();
            default -> {
            }
        }
    }

    void close() {
        try {
            instance.getLifecycleService().removeLifecycleListener(registration);
        } catch (HazelcastInstanceNotActiveException e) {
            // It was shut down before, and its listeners are gone with it.
        }
    }
}
