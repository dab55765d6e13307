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

/** Notices when this client or member is cut off from its cluster, which then frees its locks; and when members are gone. */
final class ClusterWatch {

    private final HazelcastInstance instance;
    private final InFlightCalls calls;
    private final Runnable whenCutOff;
    private final AtomicInteger membersGone = new AtomicInteger();
    private final UUID states;
    private final UUID members;
    private final Lock turn = new ReentrantLock();

    /** Whether an event said that there is a connection, or that there is none. */
    private boolean stateKnown;

    private boolean closed;

    /** Whether this member is about to leave its cluster: a lock that it gets now is lost without an event. */
    private volatile boolean leaving;

    /**
     * Runs {@code whenCutOff} when all locks are lost, and {@code whenMemberGone} when they may be. Both run on threads of
     * Hazelcast and must be quick.
     */
    ClusterWatch(HazelcastInstance instance, InFlightCalls calls, Runnable whenCutOff, Runnable whenMemberGone) {
        this.instance = instance;
        this.calls = calls;
        this.whenCutOff = whenCutOff;
        this.states = instance.getLifecycleService().addLifecycleListener(this::stateChanged);
        this.members = instance.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberRemoved(MembershipEvent event) {
                membersGone.incrementAndGet();
                whenMemberGone.run();
            }
        });
        lookOnce();
    }

    /** Looks whether there is a connection: no event reports what happened before the listener was added. */
    private void lookOnce() {
        inTurn(() -> {
            if (!stateKnown && !isConnected()) {
                calls.goOffline();
            }
        });
    }

    /** Does one step at a time: events come on several threads of Hazelcast. */
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
                stateKnown = true;
                calls.goOffline();
                whenCutOff.run();
            }
            case CLIENT_CONNECTED -> {
                stateKnown = true;
                calls.goOnline();
            }
            // A member that merges into another cluster joins it as a new one.
            case MERGING, SHUTTING_DOWN -> {
                leaving = true; // Before the count: an acquisition that does not see this sees the count.
                calls.countCutOff();
                whenCutOff.run();
            }
            case MERGED, MERGE_FAILED -> leaving = false;
            case SHUTDOWN -> {
                leaving = false;
                calls.goOnline(); // The connection is not what is missing now; Hazelcast says so itself.
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

    /** Stops listening. Calls go on as if there were a connection: what still cleans up waits for it in Hazelcast. */
    void close() {
        inTurn(() -> {
            closed = true;
            calls.goOnline();
        });
        try {
            instance.getLifecycleService().removeLifecycleListener(states);
            instance.getCluster().removeMembershipListener(members);
        } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
            // The instance was shut down before, and its listeners are gone with it.
        }
    }
}
