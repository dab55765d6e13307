// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.hazelcast.client.Client;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Notices when members are gone, and when this client has no connection to any. */
final class ClusterWatch {

    private final HazelcastInstance instance;
    private final Runnable whenDoubtful;
    private final Runnable whenOver;
    private final AtomicInteger membersGone = new AtomicInteger();
    private @Nullable UUID states;
    private @Nullable UUID members;
    private volatile boolean connected = true;

    /**
     * Runs {@code whenDoubtful} when records may be lost, and {@code whenOver} when the instance shuts down. Both run on threads of
     * Hazelcast and must be quick.
     */
    ClusterWatch(HazelcastInstance instance, Runnable whenDoubtful, Runnable whenOver) {
        this.instance = instance;
        this.whenDoubtful = whenDoubtful;
        this.whenOver = whenOver;
    }

    void open() {
        states = instance.getLifecycleService().addLifecycleListener(this::stateChanged);
        members = instance.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberRemoved(MembershipEvent event) {
                membersGone.incrementAndGet();
                whenDoubtful.run();
            }
        });
        connected = !hasNoConnection(); // No event tells what was before.
    }

    private void stateChanged(LifecycleEvent event) {
        switch (event.getState()) {
            case CLIENT_DISCONNECTED -> connected = false;
            case CLIENT_CONNECTED, MERGED -> {
                connected = true;
                membersGone.incrementAndGet();
                whenDoubtful.run();
            }
            case SHUTTING_DOWN -> whenOver.run();
            default -> {
            }
        }
    }

    /** Returns whether this is a client without a connection. */
    boolean isOffline() {
        return !connected && hasNoConnection();
    }

    private boolean hasNoConnection() {
        try {
            return instance.getLocalEndpoint() instanceof Client client && client.getSocketAddress() == null;
        } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
            return false; // What calls it next says that the instance is shut down.
        }
    }

    /** Returns how often members, or the connection to all of them, were lost so far. */
    int membersGone() {
        return membersGone.get();
    }

    void close() {
        try {
            if (states != null && members != null) {
                instance.getLifecycleService().removeLifecycleListener(states);
                instance.getCluster().removeMembershipListener(members);
            }
        } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
            // The instance was shut down before, and its listeners are gone with it.
        }
    }
}
