// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.hazelcast.HazelcastLeaseStore;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.test.StoreContract;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract on a map of a Hazelcast cluster, which all tests share. */
@SideBySide
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HazelcastStoreContract extends StoreContract {

    private HazelcastInstance instance;

    abstract HazelcastInstance start();

    @BeforeAll
    final void startInstance() {
        instance = start();
    }

    @AfterAll
    void stop() {
        instance.shutdown();
    }

    @Override
    protected LeaseStore openStore() {
        return new HazelcastLeaseStore(instance, "contract", Duration.ofSeconds(2));
    }
}
