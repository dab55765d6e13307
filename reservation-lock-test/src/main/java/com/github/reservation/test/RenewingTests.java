// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a lease runs. A {@link FixedLeaseStore} is not asked. */
abstract class RenewingTests extends StoreTests {

    private static final int MANY = 60;
    private static final int RACES = 20;

    @BeforeEach
    final void mustBeAbleToRenew() {
        assumeFalse(store instanceof FixedLeaseStore, "The store is a FixedLeaseStore");
    }

    private boolean isRenewed(LeaseId lease, Duration leaseTime) throws StoreException {
        return store.renew(List.of(lease), leaseTime).hasRenewed(lease);
    }

    @Test
    void aRenewalLetsTheLeaseRunLonger() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(isRenewed(lease, LONG.multipliedBy(2))).isTrue();

        Duration promised = promised(store, lease, LONG.multipliedBy(2));
        assertThat(otherNode.find(key).orElseThrow().remaining())
                .isGreaterThan(promised.multipliedBy(3).dividedBy(4)).isLessThan(promised.plus(SLACK));
    }

    @Test
    void aRenewalNeverShortensALease() throws Exception {
        LeaseId lease = acquired(store, key);
        Duration promised = promised(store, lease, LONG);

        assertThat(isRenewed(lease, Duration.ofMillis(1))).isTrue();

        passShortLease();
        assertThat(otherNode.find(key).orElseThrow().remaining()).isGreaterThan(promised.dividedBy(2));
    }

    @Test
    void aRenewedLeaseOutlivesItsFirstEnd() throws Exception {
        LeaseId lease = newLease(key);
        await("a lease is renewed before it ends", () -> {
            ask(store, lease, contract().shortLease());
            return isRenewed(lease, LONG);
        });

        passShortLease();

        assertHeldBy(otherNode, lease);
        assertThat(isGranted(otherNode, newLease(key))).isFalse();
    }

    @Test
    void aRenewalDoesNotChangeWhenTheLeaseWasAcquired() throws Exception {
        LeaseId lease = acquired(store, key);
        var before = store.find(key).orElseThrow().acquiredAt();

        isRenewed(lease, LONG.plusMinutes(1));

        assertThat(Duration.between(before, store.find(key).orElseThrow().acquiredAt()).abs())
                .isLessThan(Duration.ofMillis(50));
    }

    @Test
    void aLeaseThatHasEndedIsNotRenewed_evenIfNobodyTookTheKey() throws Exception {
        LeaseId lease = ended(store, key);

        assertThat(isRenewed(lease, LONG)).isFalse();

        assertFree(store, key);
    }

    @Test
    void aStaleHolderDoesNotRenewTheLeaseOfTheNext() throws Exception {
        LeaseId stale = acquired(store, key);
        store.release(List.of(stale));
        LeaseId next = acquired(otherNode, key);

        assertThat(isRenewed(stale, LONG.multipliedBy(10))).isFalse();

        assertHeldBy(store, next);
        assertThat(store.find(key).orElseThrow().remaining()).isLessThan(LONG.plus(SLACK));
    }

    @Test
    void aReleasedLeaseIsNotRenewed() throws Exception {
        LeaseId lease = acquired(store, key);
        store.release(List.of(lease));

        assertThat(isRenewed(lease, LONG)).isFalse();

        assertFree(store, key);
    }

    @Test
    void aLeaseThatWasReleasedByForceIsNotRenewed() throws Exception {
        LeaseId lease = acquired(store, key);
        otherNode.forceRelease(key);

        assertThat(isRenewed(lease, LONG)).isFalse();

        assertFree(store, key);
    }

    @Test
    void aLeaseThatNeverWasIsNotRenewed() throws Exception {
        assertThat(isRenewed(newLease(key), LONG)).isFalse();

        assertFree(store, key);
    }

    @Test
    void anotherNodeCanRenewTheLease() throws Exception {
        LeaseId lease = acquired(otherNode, key);

        assertThat(isRenewed(lease, LONG.multipliedBy(2))).isTrue();

        Duration promised = promised(store, lease, LONG.multipliedBy(2));
        assertThat(otherNode.find(key).orElseThrow().remaining()).isGreaterThan(
                promised.multipliedBy(3).dividedBy(4));
    }

    @Test
    void ofManyLeasesThoseThatExistAreRenewed_andTheOthersAreLost() throws Exception {
        Set<LeaseId> alive = new HashSet<>();
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            LeaseId lease = i % 4 == 3 ? newLease(key + i) : acquired(store, key + i);
            switch (i % 4) {
                case 0 -> alive.add(lease);
                case 1 -> store.release(List.of(lease));
                case 2 -> {
                    store.forceRelease(lease.key());
                    acquired(otherNode, lease.key());
                }
                default -> {
                } // It never was.
            }
            all.add(lease);
        }

        Set<LeaseId> renewed = new HashSet<>();
        for (List<LeaseId> part : parts(store, all)) {
            Renewal renewal = store.renew(part, LONG.multipliedBy(2));
            assertThat(renewal.undecided()).isEmpty();
            renewed.addAll(renewal.renewed());
        }

        assertThat(renewed).isEqualTo(alive);
        for (LeaseId lease : alive) {
            Duration promised = promised(store, lease, LONG.multipliedBy(2));
            assertThat(store.find(lease.key()).orElseThrow().remaining()).isGreaterThan(
                    promised.multipliedBy(3).dividedBy(4));
        }
    }

    @Test
    void ofSeveralLeasesThatHaveEndedNoneIsRenewed() throws Exception {
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(acquired(store, key + i, contract().shortLease()));
        }
        LeaseId alive = acquired(store, key);
        all.add(alive);
        passShortLease();

        Set<LeaseId> renewed = new HashSet<>();
        for (List<LeaseId> part : parts(store, all)) {
            renewed.addAll(store.renew(part, LONG).renewed());
        }

        assertThat(renewed).containsExactly(alive);
    }

    @Test
    void aLeaseThatIsNamedTwiceIsRenewed_andNoLeaseIsNoError() throws Exception {
        LeaseId lease = acquired(store, key);
        List<LeaseId> twice = List.of(lease, lease);

        for (List<LeaseId> part : parts(store, twice)) {
            assertThat(store.renew(part, LONG).renewed()).containsExactly(lease);
        }
        assertThat(store.renew(List.of(), LONG).renewed()).isEmpty();
    }

    @Test
    void aRenewalThatRacesTheReleaseDoesNotBringTheLeaseBack() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < RACES; i++) {
                LeaseId lease = acquired(store, key);
                Future<Renewal> renewal = threads.submit(
                        () -> Contention.again(() -> otherNode.renew(List.of(lease), LONG)));
                Future<Set<LeaseId>> release = threads.submit(
                        () -> Contention.again(() -> store.release(List.of(lease))));

                assertThat(release.get()).containsExactly(lease);
                renewal.get();

                assertFree(store, key);
            }
        }
    }
}
