// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all parts of the contract start from: two nodes, and a key that no other test has. */
abstract class StoreTests {

    /** Longer than any test. */
    static final Duration LONG = Duration.ofMinutes(10);

    /** A store may take a lease for running a little longer than it does. */
    static final Duration SLACK = Duration.ofSeconds(10);

    final String key = newKey();
    LeaseStore store;
    LeaseStore otherNode;

    abstract StoreContract contract();

    @BeforeEach
    final void openStores() throws Exception {
        store = contract().openStore();
        otherNode = contract().openStore();
    }

    @AfterEach
    final void closeStores() throws Exception {
        contract().closeStores();
    }

    /** Returns the store if it has an ability, and skips the test otherwise. */
    static <T> T able(Class<T> ability, Object store) {
        return ability.isInstance(store)
                ? ability.cast(store)
                : abort("The store is no " + ability.getSimpleName());
    }

    /** Returns a key that no other test has. */
    static String newKey() {
        return "contract::" + UUID.randomUUID();
    }

    /** Returns the name of a node: 16 characters. */
    static String newNode() {
        return UUID.randomUUID().toString().replace("-", "").substring(16);
    }

    /** Returns a lease of a new holder. */
    static LeaseId newLease(String key) {
        return new LeaseId(key, "test-1@host/4711-" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** Asks once, without waiting. */
    static Acquisition ask(LeaseStore store, LeaseId lease, Duration leaseTime) throws StoreException {
        return store.acquire(AcquireRequest.once(lease, leaseTime, AcquireRequest.NO_NODE));
    }

    /** Asks for a node that waits. */
    static Acquisition ask(LeaseStore store, LeaseId lease, String node) throws StoreException {
        return store.acquire(new AcquireRequest(lease, LONG, node, true, false));
    }

    static boolean isGranted(LeaseStore store, LeaseId lease) throws StoreException {
        return ask(store, lease, LONG) instanceof Granted;
    }

    /** Acquires a key that must be free, for long. */
    static LeaseId acquired(LeaseStore store, String key) throws StoreException {
        return acquired(store, key, LONG);
    }

    static LeaseId acquired(LeaseStore store, String key, Duration leaseTime) throws StoreException {
        LeaseId lease = newLease(key);
        assertThat(ask(store, lease, leaseTime)).as("the answer to a request for a free key")
                .isInstanceOf(Granted.class);
        return lease;
    }

    /** Lets a node that waits be refused. */
    static Refused refused(LeaseStore store, LeaseId lease, String node) throws StoreException {
        Acquisition answer = ask(store, lease, node);
        assertThat(answer).as("the answer to a request for a held key").isInstanceOf(Refused.class);
        return (Refused) answer;
    }

    /** Acquires a key for a short time, and returns its lease when that has ended. */
    final LeaseId ended(LeaseStore store, String key) throws Exception {
        LeaseId lease = acquired(store, key, contract().shortLease());
        passShortLease();
        return lease;
    }

    /** Lets a short lease end, and half of its time pass: then the end is past for everybody. */
    final void passShortLease() throws Exception {
        contract().passTime(contract().shortLease().multipliedBy(3).dividedBy(2));
    }

    /** Returns how long a lease runs for which a time was just asked: for all of it, unless the store says that it may grant less. */
    static Duration promised(LeaseStore store, LeaseId lease, Duration asked) {
        return store instanceof ShorteningStore shortening ? shortening.granted(lease, asked) : asked;
    }

    /** A check that may call the store. */
    @FunctionalInterface
    interface Condition {
        boolean isMet() throws Exception;
    }

    /** Waits for an effect that must come, and lets time pass meanwhile. */
    final void await(String what, Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.isMet()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("the time without: " + what).isLessThan(contract().patience());
            contract().passTime(Duration.ofMillis(5));
        }
    }

    static void assertHeldBy(LeaseStore store, LeaseId lease) throws StoreException {
        assertThat(store.find(lease.key()).map(StoredLease::id)).as("the lease of " + lease.key()).hasValue(lease);
    }

    static void assertFree(LeaseStore store, String key) throws StoreException {
        assertThat(store.find(key)).as("the lease of " + key).isEmpty();
    }

    /** Returns the leases in parts that are not too many for one call. */
    static List<List<LeaseId>> parts(LeaseStore store, Collection<LeaseId> leases) {
        List<LeaseId> all = List.copyOf(leases);
        List<List<LeaseId>> parts = new ArrayList<>();
        for (int i = 0; i < all.size(); i += store.mostLeasesInACall()) {
            parts.add(all.subList(i, Math.min(all.size(), i + store.mostLeasesInACall())));
        }
        return parts;
    }
}
