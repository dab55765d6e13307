// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a client of a member in another JVM that has none of our classes. */
@Needs(Backend.HAZELCAST)
class ClientContractTest extends BackendContract {

    private static MemberProcess member;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        member = MemberProcess.alone();
        client = TestInstances.client(member.port());
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        member.close();
    }

    @Override
    protected TestBackend createBackend() {
        return new HazelcastBackend(client);
    }
}
