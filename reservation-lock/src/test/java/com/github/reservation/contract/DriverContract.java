// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.ReservationManager;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The part of the contract that another driver, another server or another way to keep the table could break. It runs on every backend, in
 * the time of that backend.
 *
 * <p>What runs where:
 * <ol>
 *   <li>this class everywhere: first promises, holding, lease times, waiting, passing, leases, interrupted calls, stress;
 *   <li>{@link BackendContract} on each kind of server and cluster: forced releases and lock managers, too;
 *   <li>{@link CoreContract} wherever time is driven by hand: listeners, doubt, failures, late replies, giving up, renewals. It is about the
 *       library alone, and scripts what the store does; in real time it would mostly sleep. The stores in hand-driven time are of every
 *       shape: with a queue and signals, with a queue in a table, with neither, and without renewals;
 *   <li>losses, renewals and giving up also on a member of Hazelcast, which ends leases by itself and once reported them late, and
 *       renewals on PostgreSQL.
 * </ol>
 *
 * <p>All tests run side by side, each on a backend of its own: most of their time goes by while leases run out. Only the stress tests
 * wait for each other.
 */
@SideBySide
@Execution(ExecutionMode.CONCURRENT)
public abstract class DriverContract {

    /** Makes a backend for one test, which closes it. */
    protected abstract TestBackend createBackend();

    @Nested
    class FirstPromises extends AbstractReservationManagerTest {

        private final TestBackend backend = createBackend();

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return backend.manager(domain, leaseTime);
        }

        @Override
        protected void passTime(Duration duration) {
            backend.passTime(duration);
        }

        @Override
        protected void cleanup() {
            backend.close();
        }
    }

    @Nested
    class Holding extends HoldingContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class LeaseTime extends LeaseTimeContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Manager extends ManagerContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Passing extends PassingContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class InterruptedCall extends InterruptedCallContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Leases extends AbstractLockProviderTest {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    @ResourceLock("stress")
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }
}
