// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole contract on a member in this JVM. */
class EmbeddedMemberContractTest extends HazelcastContract {

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
    protected HazelcastInstance instance() {
        return member;
    }
}
