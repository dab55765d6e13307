// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What ends by itself, and what can be seen of claims. */
abstract class ClaimExpiringTests extends ClaimStoreTests {

    private static final int MANY = 12;

    /** What other tests have left would count here. */
    @BeforeEach
    final void sweep() throws StoreException {
        sweep(store);
    }

    private static List<ClaimExpired> sweep(ClaimStore store) throws StoreException {
        List<ClaimExpired> all = new ArrayList<>();
        List<ClaimExpired> marked = store.expire(100);
        while (!marked.isEmpty()) {
            all.addAll(marked);
            marked = store.expire(100);
        }
        return all;
    }

    private static Set<String> ids(List<ClaimExpired> ends) {
        Set<String> ids = new HashSet<>();
        ends.forEach(end -> ids.add(end.reservationId()));
        return ids;
    }

    /** Makes claims that are over. */
    private Set<String> manyEnded() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            NewClaim claim = claim(newId(), contract().shortTtl());
            granted(store, claim);
            ids.add(claim.reservationId());
        }
        passShortTtl();
        return ids;
    }

    @Test
    void aClaimThatIsOverIsExpired_markedOrNot() throws Exception {
        ended(id);
        assertThat(found().status()).isEqualTo(ClaimStatus.EXPIRED);
        assertThat(found().remainingTtl()).isZero();

        sweep(store);

        assertThat(found().status()).isEqualTo(ClaimStatus.EXPIRED);
    }

    @Test
    void aSweepReturnsWhatItHasMarked() throws Exception {
        NewClaim claim = new NewClaim(id, TYPE, id + "@example.com", contract().shortTtl(), "sign-up 7", hex());
        Instant end = granted(store, claim).expiresAt();
        passShortTtl();

        assertThat(sweep(otherNode)).containsExactly(
                new ClaimExpired(id, TYPE, "email:" + id + "@example.com", Optional.of("sign-up 7"), end));
        assertThat(sweep(store)).as("a second sweep").isEmpty();
    }

    @Test
    void aSweepMarksNoMoreThanItsLimit() throws Exception {
        Set<String> over = manyEnded();

        Set<String> first = ids(store.expire(MANY / 2));

        assertThat(first).hasSizeBetween(1, MANY / 2);
        Set<String> rest = ids(sweep(otherNode));
        assertThat(rest).doesNotContainAnyElementsOf(first);
        rest.addAll(first);
        assertThat(rest).isEqualTo(over);
    }

    @Test
    void sweepsThatRaceMarkEachClaimOnce() throws Exception {
        Set<String> over = manyEnded();

        List<ClaimExpired> marked = new ArrayList<>();
        atOnce(node -> node.expire(3)).forEach(marked::addAll);
        marked.addAll(sweep(store));

        assertThat(marked).extracting(ClaimExpired::reservationId).doesNotHaveDuplicates();
        assertThat(ids(marked)).isEqualTo(over);
    }

    @Test
    void aSweepLeavesAllOtherClaimsAlone() throws Exception {
        granted(store, claim(id, LONG));
        NewClaim confirmed = claim(newId(), contract().shortTtl());
        granted(store, confirmed);
        done(store.confirm(ref(confirmed), entity));
        NewClaim released = claim(newId(), contract().shortTtl());
        granted(store, released);
        done(store.release(ref(released)));
        passShortTtl();

        assertThat(sweep(store)).isEmpty();

        assertThat(found().status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(store.find(confirmed.reservationId()).orElseThrow().claim().status())
                .isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(store.find(released.reservationId()).orElseThrow().claim().status())
                .isEqualTo(ClaimStatus.RELEASED);
    }

    @Test
    void theLagIsThatOfTheOldestClaimThatIsNotMarked() throws Exception {
        assertThat(store.lag()).isZero();
        ended(id);

        assertThat(otherNode.lag()).isPositive().isLessThan(Duration.ofMinutes(2));

        sweep(store);
        assertThat(otherNode.lag()).isZero();
    }

    @Test
    void eachStatusIsCounted_andAClaimThatIsOverIsExpired() throws Exception {
        Map<ClaimStatus, Long> before = new HashMap<>(store.countByStatus());
        granted(store, claim(newId(), LONG));
        NewClaim confirmed = claim(newId(), LONG);
        granted(store, confirmed);
        done(store.confirm(ref(confirmed), entity));
        ended(id);

        for (int i = 0; i < 2; i++) {
            Map<ClaimStatus, Long> counts = otherNode.countByStatus();
            for (ClaimStatus status : ClaimStatus.values()) {
                assertThat(counts.getOrDefault(status, 0L) - before.getOrDefault(status, 0L)).as("more " + status)
                        .isEqualTo(status == ClaimStatus.RELEASED ? 0 : 1);
            }
            sweep(store);
        }
    }

    @Test
    void theConfirmedClaimsOfAnEntityAreFound() throws Exception {
        NewClaim first = claim(id, LONG);
        NewClaim second = claim(newId(), LONG);
        NewClaim shouted = claim(newId(), LONG);
        for (NewClaim claim : List.of(first, second, shouted)) {
            granted(store, claim);
        }
        done(store.confirm(ref(first), entity));
        done(store.confirm(ref(second), entity));
        done(store.confirm(ref(shouted), entity.toUpperCase(Locale.ROOT)));

        assertThat(otherNode.findByEntity(entity)).extracting(Claim::reservationId)
                .containsExactlyInAnyOrder(first.reservationId(), second.reservationId());

        done(store.releaseConfirmed(id, entity));
        assertThat(otherNode.findByEntity(entity)).extracting(Claim::reservationId)
                .containsExactly(second.reservationId());
        assertThat(otherNode.findByEntity(entity + " ")).isEmpty();
    }
}
