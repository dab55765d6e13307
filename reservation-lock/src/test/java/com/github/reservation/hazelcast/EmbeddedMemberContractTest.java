// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.AutoRenewalContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.GivingUpContract;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on a member in this JVM. */
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

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return EmbeddedMemberContractTest.this.createBackend();
        }
    }

    @Nested
    class Renewal extends AutoRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return EmbeddedMemberContractTest.this.createBackend();
        }
    }

    @Nested
    class GivingUp extends GivingUpContract {
        @Override
        protected TestBackend createBackend() {
            return EmbeddedMemberContractTest.this.createBackend();
        }
    }
}
