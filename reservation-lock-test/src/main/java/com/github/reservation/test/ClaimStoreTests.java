// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all parts of the contract of claims start from: two nodes, and a value that no other test has. */
abstract class ClaimStoreTests {

    /** Longer than any test. */
    static final Duration LONG = Duration.ofMinutes(10);

    static final String TYPE = "email";

    /** After this time the end of a claim is past for everybody. */
    private static final Duration MARGIN = Duration.ofMillis(100);

    private static final int THREADS = 8;

    final String id = newId();
    final String entity = "entity-" + hex();
    ClaimStore store;
    ClaimStore otherNode;

    abstract ClaimStoreContract contract();

    @BeforeEach
    final void openStores() throws Exception {
        store = contract().openStore();
        otherNode = contract().openStore();
    }

    @AfterEach
    final void closeStores() throws Exception {
        contract().closeStores();
    }

    /** Returns 32 random hex digits. */
    static String hex() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    static String newId() {
        return "res_" + hex();
    }

    /** Returns a claim of the id, with a new token. */
    static NewClaim claim(String id, Duration ttl) {
        return new NewClaim(id, TYPE, id + "@example.com", ttl, null, hex());
    }

    static ClaimRef ref(NewClaim claim) {
        return new ClaimRef(claim.reservationId(), claim.token());
    }

    /** Reserves a value that must be free. */
    static ReserveOutcome.Granted granted(ClaimStore store, NewClaim claim) throws StoreException {
        ReserveOutcome outcome = store.reserve(claim);
        assertThat(outcome).as("the answer to a request for a free value").isInstanceOf(ReserveOutcome.Granted.class);
        return (ReserveOutcome.Granted) outcome;
    }

    static ReserveOutcome.Refused refused(ClaimStore store, NewClaim claim) throws StoreException {
        ReserveOutcome outcome = store.reserve(claim);
        assertThat(outcome).as("the answer to a request for a value that is taken")
                .isInstanceOf(ReserveOutcome.Refused.class);
        return (ReserveOutcome.Refused) outcome;
    }

    /** Reserves the value for long. */
    final NewClaim reserved() throws StoreException {
        NewClaim claim = claim(id, LONG);
        granted(store, claim);
        return claim;
    }

    /** Reserves a value for a short time, and returns its claim when that is over. */
    final NewClaim ended(String id) throws Exception {
        NewClaim claim = claim(id, contract().shortTtl());
        granted(store, claim);
        passShortTtl();
        return claim;
    }

    final void passShortTtl() throws Exception {
        contract().passTime(contract().shortTtl().plus(MARGIN));
    }

    /** Asserts that the change was made, and returns it. */
    static ClaimChange.Done done(ClaimChange change) {
        assertThat(change).isInstanceOf(ClaimChange.Done.class);
        return (ClaimChange.Done) change;
    }

    /** Asserts that the change was refused because the claim has this status. */
    static Claim assertRefused(ClaimChange change, ClaimStatus status) {
        assertThat(change).isInstanceOf(ClaimChange.Refused.class);
        Claim found = ((ClaimChange.Refused) change).found().map(StoredClaim::claim).orElseThrow();
        assertThat(found.status()).isEqualTo(status);
        return found;
    }

    /** Returns the claim of the value, as the other node sees it. */
    final Claim found() throws StoreException {
        return otherNode.find(id).orElseThrow().claim();
    }

    /** Makes the same call from several threads on both nodes at once, and returns the answers. */
    final <T> List<T> atOnce(Call<T> call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<T>> racers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ClaimStore node = i % 2 == 0 ? store : otherNode;
                racers.add(() -> {
                    start.await();
                    return Contention.again(() -> call.on(node));
                });
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> racer : threads.invokeAll(racers)) {
                answers.add(racer.get());
            }
            return answers;
        }
    }

    /** A call that races itself. */
    interface Call<T> {
        T on(ClaimStore node) throws Exception;
    }
}
