// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.store.ClaimStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link ClaimStore} must do, as tests. Extend this class, and say how to open your store. The tests have the names of the
 * rules.
 *
 * <p>Each test has values of its own, so the store need not be empty. But a sweep sees all claims: do not run two of these tests on the same
 * claims at the same time.
 */
@Timeout(120)
public abstract class ClaimStoreContract {

    /**
     * Opens a store. It is called several times in a test: each store stands for a node of its own, on the same claims. If several nodes can
     * share one object, it may return the same one.
     */
    protected abstract ClaimStore openStore() throws Exception;

    /** Closes what {@link #openStore} has opened. It is called after each test. Does nothing by default. */
    protected void closeStores() throws Exception {}

    /** Lets time pass for the store. Sleeps by default; if the clock of the store is driven by hand, advance it instead. */
    protected void passTime(Duration time) throws Exception {
        Thread.sleep(time);
    }

    /**
     * Returns the time of the claims that tests let end. Default: a second, which is the least that a caller can ask for. A store that takes
     * long to answer needs more.
     */
    protected Duration shortTtl() {
        return Claims.MIN_TTL;
    }

    /** Who gets a value. */
    @Nested
    class Reserving extends ClaimReservingTests {
        @Override
        ClaimStoreContract contract() {
            return ClaimStoreContract.this;
        }
    }

    /** What becomes of a claim. */
    @Nested
    class Changing extends ClaimChangingTests {
        @Override
        ClaimStoreContract contract() {
            return ClaimStoreContract.this;
        }
    }

    /** What ends by itself, and what can be seen of it. */
    @Nested
    class Expiring extends ClaimExpiringTests {
        @Override
        ClaimStoreContract contract() {
            return ClaimStoreContract.this;
        }
    }
}
