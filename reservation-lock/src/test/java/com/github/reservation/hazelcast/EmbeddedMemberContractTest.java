// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole contract on a member in this JVM. */
@Needs(Backend.HAZELCAST)
class EmbeddedMemberContractTest extends BackendContract {

    private static HazelcastInstance member;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    @Override
    protected TestBackend createBackend() {
        return new HazelcastBackend(member);
    }
}
