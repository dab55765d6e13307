// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link LeaseStore} must do, as tests. Extend this class, and say how to open your store:
 *
 * {@snippet file="com/github/reservation/demo/MapStoreContractTest.java" region="contract"}
 *
 * <p>The tests have the names of the rules. If one fails, the Javadoc of the method that it calls says what the store should have done.
 * Tests of an ability that your store does not have are skipped: the store shows what it can do by the interfaces that it implements.
 * Fencing tokens are tested if the store returns them.
 *
 * <p>Each test has keys of its own, so tests can share a database and run side by side. They call the store directly: that a
 * {@link com.github.reservation.ReservationManager} works on a store that keeps this contract is tested in the library.
 *
 * <p>Most tests take no longer than a few calls. Those that let a lease end take half a second, in real time unless you override
 * {@link #passTime}.
 */
@Timeout(120)
public abstract class StoreContract {

    /**
     * Opens a store. It is called several times in a test: each store stands for a node of its own, on the same leases. If several nodes can
     * share one object, it may return the same one.
     */
    protected abstract LeaseStore openStore() throws Exception;

    /** Closes what {@link #openStore} has opened. It is called after each test. Does nothing by default. */
    protected void closeStores() throws Exception {}

    /** Lets time pass for the store. Sleeps by default; if the clock of the store is driven by hand, advance it instead. */
    protected void passTime(Duration time) throws Exception {
        Thread.sleep(time);
    }

    /**
     * Returns the time of the leases that tests let end. Default: 300 ms. A store whose clock is coarse, or that takes long to answer, needs
     * more.
     */
    protected Duration shortLease() {
        return Duration.ofMillis(300);
    }

    /** Returns how long a test waits for an effect that must come. Default: 20 seconds. */
    protected Duration patience() {
        return Duration.ofSeconds(20);
    }

    /** Who gets a key. */
    @Nested
    class Acquiring extends AcquiringTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** Which keys and holders are the same. */
    @Nested
    class Naming extends NamingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** Numbers that grow. */
    @Nested
    class Fencing extends FencingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** How long a lease runs. */
    @Nested
    class Renewing extends RenewingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** How a lease ends before its time. */
    @Nested
    class Releasing extends ReleasingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** What can be seen. */
    @Nested
    class Finding extends FindingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** Whose turn it is, for a {@link com.github.reservation.store.QueueingStore}. */
    @Nested
    class Queueing extends QueueingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** A key that goes from thread to thread, for a {@link com.github.reservation.store.QueueingStore}. */
    @Nested
    class Passing extends PassingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** Hints, of a {@link com.github.reservation.store.SignallingStore}. */
    @Nested
    class Signalling extends SignallingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** What must not be forgotten, by a {@link com.github.reservation.store.PurgingStore}. */
    @Nested
    class Purging extends PurgingTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }

    /** Less time than was asked for, from a {@link com.github.reservation.store.ShorteningStore}. */
    @Nested
    class Shortening extends ShorteningTests {
        @Override
        StoreContract contract() {
            return StoreContract.this;
        }
    }
}
