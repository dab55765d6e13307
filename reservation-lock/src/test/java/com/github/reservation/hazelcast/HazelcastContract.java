// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.FailureContract;
import com.github.reservation.contract.HoldingContract;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The whole contract on Hazelcast; a test of one topology says where it is. The tests run side by side, because most of
 * their time goes by while leases run out; only the stress has the machine for itself.
 */
abstract class HazelcastContract {

    private static final String MACHINE = "machine";
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    /** Returns the member or client that all tests share. */
    protected abstract HazelcastInstance instance();

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    class FirstPromises extends AbstractReservationManagerTest {

        private final String prefix = "first-" + PREFIXES.incrementAndGet();

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return ReservationManager.hazelcast(instance())
                    .mapPrefix(prefix)
                    .domain(domain)
                    .leaseTime(leaseTime)
                    .build();
        }

        @Override
        protected void passTime(Duration duration) {
            new HazelcastBackend(instance()).passTime(duration);
        }

        @Override
        protected void cleanup() {}
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    class Holding extends HoldingContract {
        @Override
        protected TestBackend createBackend() {
            return new HazelcastBackend(instance());
        }

        @Override
        protected boolean hasFencing() {
            return false;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new HazelcastBackend(instance());
        }

        @Override
        protected boolean isFairBetweenNodes() {
            return false;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return new HazelcastBackend(instance());
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = MACHINE, mode = ResourceAccessMode.READ)
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return new HazelcastBackend(instance());
        }
    }

    @Nested
    @ResourceLock(MACHINE)
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return new HazelcastBackend(instance());
        }

        @Override
        protected int roundsPerThread() {
            return 100;
        }

        @Override
        protected Duration stormDuration() {
            return Duration.ofSeconds(3);
        }
    }
}
