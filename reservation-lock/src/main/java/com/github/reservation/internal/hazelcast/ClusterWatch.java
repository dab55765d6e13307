// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.hazelcast.client.Client;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices when this client or member is cut off from its cluster, which then frees what it holds; and when members of it
 * are gone.
 */
final class ClusterWatch {

    private final HazelcastInstance instance;
    private final Calls calls;
    private final Runnable cutOff;
    private final AtomicInteger membersGone = new AtomicInteger();
    private final UUID states;
    private final UUID members;
    private final Lock turn = new ReentrantLock();

    /** Whether it was told of a connection, or that there is none. */
    private boolean heard;

    private boolean closed;

    /** Whether this member is about to leave its cluster: whatever it is granted now goes with it, and nobody tells. */
    private volatile boolean leaving;

    /** Runs {@code cutOff} when what is held is lost, and {@code memberGone} when it may be. Both must be quick. */
    ClusterWatch(HazelcastInstance instance, Calls calls, Runnable cutOff, Runnable memberGone) {
        this.instance = instance;
        this.calls = calls;
        this.cutOff = cutOff;
        this.states = instance.getLifecycleService().addLifecycleListener(this::stateChanged);
        this.members = instance.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberRemoved(MembershipEvent event) {
                membersGone.incrementAndGet();
                memberGone.run();
            }
        });
        lookOnce();
    }

    /** Nobody tells of what was before. Whoever connects after this look will be heard. */
    private void lookOnce() {
        inTurn(() -> {
            if (!heard && !isConnected()) {
                calls.goOffline();
            }
        });
    }

    /** Does one thing at a time: what is told is told by several threads of Hazelcast. */
    private void inTurn(Runnable step) {
        turn.lock();
        try {
            step.run();
        } finally {
            turn.unlock();
        }
    }

    private boolean isConnected() {
        return !(instance.getLocalEndpoint() instanceof Client client) || client.getSocketAddress() != null;
    }

    private void stateChanged(LifecycleEvent event) {
        inTurn(() -> {
            if (!closed) {
                changeTo(event.getState());
            }
        });
    }

    private void changeTo(LifecycleState state) {
        switch (state) {
            case CLIENT_DISCONNECTED -> {
                heard = true;
                calls.goOffline();
                cutOff.run();
            }
            case CLIENT_CONNECTED -> {
                heard = true;
                calls.goOnline();
            }
            // A member that merges into another cluster comes there as a new one.
            case MERGING, SHUTTING_DOWN -> {
                leaving = true; // Before it is counted: whoever does not see this sees the count.
                calls.countCutOff();
                cutOff.run();
            }
            case MERGED, MERGE_FAILED -> leaving = false;
            case SHUTDOWN -> {
                leaving = false;
                calls.goOnline(); // It is not the connection that is missing now; Hazelcast says so.
            }
            default -> {
            }
        }
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Returns how many members were lost so far. */
    int membersGone() {
        return membersGone.get();
    }

    /** Stops listening. Calls go on as if there were a connection: whoever still cleans up waits for it in Hazelcast. */
    void close() {
        inTurn(() -> {
            closed = true;
            calls.goOnline();
        });
        try {
            instance.getLifecycleService().removeLifecycleListener(states);
            instance.getCluster().removeMembershipListener(members);
        } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
            // It was shut down before, and its listeners are gone with it.
        }
    }
}
