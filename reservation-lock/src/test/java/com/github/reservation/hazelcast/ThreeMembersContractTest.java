// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a client of three members with backups, each in a JVM that has none of our classes. */
@Needs(Backend.HAZELCAST)
class ThreeMembersContractTest extends BackendContract {

    private static ThreeMembers cluster;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        cluster = new ThreeMembers();
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        cluster.close();
    }

    @Override
    protected TestBackend createBackend() {
        return new HazelcastBackend(client);
    }
}
