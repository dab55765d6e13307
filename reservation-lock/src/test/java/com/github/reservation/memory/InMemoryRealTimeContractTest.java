// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.GivingUpContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import org.junit.jupiter.api.Nested;

/** What depends on time, on the in-memory store in the time of the JVM. */
@SideBySide
@Needs(Backend.MEMORY)
class InMemoryRealTimeContractTest {

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend();
        }
    }

    @Nested
    class GivingUp extends GivingUpContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend();
        }
    }
}
