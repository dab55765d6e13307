// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;

/** The contract on a member in this JVM. */
@Needs(Backend.HAZELCAST)
class MemberStoreContractTest extends HazelcastStoreContract {

    @Override
    HazelcastInstance start() {
        return TestInstances.member();
    }
}
