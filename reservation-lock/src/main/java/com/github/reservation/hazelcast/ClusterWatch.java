// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.client.Client;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices when this client or member is cut off from its cluster, which then frees what it holds; and when members of it
 * are gone.
 */
final class ClusterWatch {

    /** No answer takes that long, unless Hazelcast has asked again. */
    private static final Duration LONG_FOR_AN_ANSWER = Duration.ofMillis(50);

    /** How much later than an answer of the others a client hears at most that a member is gone. */
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(5);

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

    ClusterWatch(HazelcastInstance instance, Calls calls, Runnable cutOff) {
        this.instance = instance;
        this.calls = calls;
        this.cutOff = cutOff;
        this.states = instance.getLifecycleService().addLifecycleListener(this::stateChanged);
        this.members = instance.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberRemoved(MembershipEvent event) {
                membersGone.incrementAndGet();
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

    /**
     * Returns whether a question may have been asked twice, because a member died that had the answer. Hazelcast does that by
     * itself, and does not tell.
     *
     * @param gone what {@link #membersGone} was before the question
     * @param asked when that was
     */
    boolean mayHaveAskedTwice(int gone, long asked) {
        long now = System.nanoTime();
        boolean took = now - asked > LONG_FOR_AN_ANSWER.toNanos();
        try {
            while (took && membersGone() == gone && System.nanoTime() - now < LONGEST_DELAY.toNanos()) {
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return membersGone() != gone;
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
