// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.BackendAlone;
import com.github.reservation.ReservationManager;
import com.hazelcast.core.HazelcastInstance;

/** Locks on a cluster of one member, in a JVM that has Hazelcast and no other jar. */
public final class HazelcastAlone {

    private HazelcastAlone() {}

    public static void main(String[] args) {
        HazelcastInstance member = TestInstances.member();
        BackendAlone.use(ReservationManager.hazelcast(member));
        member.shutdown();
    }
}
