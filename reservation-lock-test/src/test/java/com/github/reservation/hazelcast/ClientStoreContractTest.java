// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;

/** The contract on a client of a member in another JVM that has none of our classes. */
@Needs(Backend.HAZELCAST)
class ClientStoreContractTest extends HazelcastStoreContract {

    private MemberProcess member;

    @Override
    HazelcastInstance start() {
        member = MemberProcess.alone();
        return TestInstances.client(member.port());
    }

    @Override
    void stop() {
        super.stop();
        member.close();
    }
}
