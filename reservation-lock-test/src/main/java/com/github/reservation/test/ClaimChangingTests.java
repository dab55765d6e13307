// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of a claim, and who may change it. */
abstract class ClaimChangingTests extends ClaimStoreTests {

    @Test
    void anActiveClaimIsConfirmed() throws Exception {
        NewClaim owner = reserved();

        ClaimChange.Done done = done(otherNode.confirm(ref(owner), entity));

        Claim claim = found();
        assertThat(claim.status()).isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(claim.entityId()).hasValue(entity);
        assertThat(claim.confirmedAt()).hasValue(done.at());
        assertThat(claim.version()).isEqualTo(2);
        assertThat(claim.remainingTtl()).isZero();
        done.type().ifPresent(type -> assertThat(type).isEqualTo(TYPE));
    }

    @Test
    void aConfirmationThatArrivesTwiceIsRefused_andShowsTheFirst() throws Exception {
        NewClaim owner = reserved();
        done(store.confirm(ref(owner), entity));

        Claim found = assertRefused(store.confirm(ref(owner), entity), ClaimStatus.CONFIRMED);

        assertThat(found.entityId()).hasValue(entity);
        assertThat(found.version()).isEqualTo(2);
    }

    @Test
    void anotherTokenChangesNothing() throws Exception {
        NewClaim owner = reserved();
        ClaimRef stranger = new ClaimRef(id, hex());

        for (ClaimChange change : List.of(
                store.confirm(stranger, entity), store.release(stranger), store.extend(stranger, LONG))) {
            assertRefused(change, ClaimStatus.RESERVED);
        }

        assertThat(found().version()).isOne();
        assertThat(store.find(id).orElseThrow().token()).isEqualTo(owner.token());
    }

    @Test
    void withoutATokenTheClaimThatIsThereIsChanged() throws Exception {
        reserved();

        done(store.confirm(new ClaimRef(id, null), entity));

        assertThat(found().status()).isEqualTo(ClaimStatus.CONFIRMED);
        String released = newId();
        granted(store, claim(released, LONG));
        done(store.release(new ClaimRef(released, null)));
        assertThat(store.find(released).orElseThrow().claim().status()).isEqualTo(ClaimStatus.RELEASED);
    }

    @Test
    void aClaimThatIsOverIsNotChanged_evenIfItWasNotMarked() throws Exception {
        ClaimRef owner = ref(ended(id));

        for (ClaimChange change : List.of(
                store.confirm(owner, entity), store.release(owner), store.extend(owner, LONG))) {
            assertRefused(change, ClaimStatus.EXPIRED);
        }

        assertThat(found().status()).isEqualTo(ClaimStatus.EXPIRED);
    }

    @Test
    void aStaleOwnerDoesNotChangeTheClaimOfTheNext() throws Exception {
        ClaimRef stale = ref(ended(id));
        NewClaim next = claim(id, LONG);
        granted(otherNode, next);
        long version = found().version();

        for (ClaimChange change : List.of(
                store.confirm(stale, entity), store.release(stale), store.extend(stale, LONG))) {
            assertRefused(change, ClaimStatus.RESERVED);
        }

        assertThat(found().version()).isEqualTo(version);
        done(store.confirm(ref(next), entity));
    }

    @Test
    void aClaimThatNeverWasIsNotChanged() throws Exception {
        ClaimRef nobody = new ClaimRef(id, hex());

        assertThat(List.of(
                store.confirm(nobody, entity),
                store.release(nobody),
                store.extend(nobody, LONG),
                store.release(new ClaimRef("-", "-")),
                store.releaseConfirmed(id, entity)))
                .containsOnly(new ClaimChange.Refused(Optional.empty()));
        assertThat(store.find(id)).isEmpty();
    }

    @Test
    void anActiveClaimIsReleased() throws Exception {
        NewClaim owner = reserved();

        ClaimChange.Done done = done(otherNode.release(ref(owner)));

        assertThat(found().status()).isEqualTo(ClaimStatus.RELEASED);
        assertThat(found().releasedAt()).hasValue(done.at());
        assertThat(found().version()).isEqualTo(2);
        assertRefused(store.release(ref(owner)), ClaimStatus.RELEASED);
        assertRefused(store.confirm(ref(owner), entity), ClaimStatus.RELEASED);
    }

    @Test
    void aConfirmedClaimIsNotReleasedByItsToken() throws Exception {
        NewClaim owner = reserved();
        done(store.confirm(ref(owner), entity));

        assertRefused(store.release(ref(owner)), ClaimStatus.CONFIRMED);
        assertRefused(store.extend(ref(owner), LONG), ClaimStatus.CONFIRMED);
    }

    @Test
    void aClaimIsExtended_andNeverShortened() throws Exception {
        NewClaim owner = claim(id, LONG);
        Instant end = granted(store, owner).expiresAt();

        assertThat(done(store.extend(ref(owner), Duration.ofSeconds(1))).at()).isEqualTo(end);
        ClaimChange.Done later = done(otherNode.extend(ref(owner), LONG.multipliedBy(2)));

        assertThat(later.at()).isAfter(end.plus(LONG.dividedBy(2)));
        assertThat(found().expiresAt()).isEqualTo(later.at());
        assertThat(found().status()).isEqualTo(ClaimStatus.RESERVED);
    }

    @Test
    void anExtendedClaimOutlivesItsFirstEnd() throws Exception {
        NewClaim owner = claim(id, contract().shortTtl().multipliedBy(2));
        granted(store, owner);
        done(store.extend(ref(owner), LONG));

        passShortTtl();
        passShortTtl();

        assertThat(found().status()).isEqualTo(ClaimStatus.RESERVED);
        refused(otherNode, claim(id, LONG));
    }

    @Test
    void aConfirmedClaimIsReleasedForItsEntity_andForNoOther() throws Exception {
        done(store.confirm(ref(reserved()), entity));

        assertRefused(store.releaseConfirmed(id, "another"), ClaimStatus.CONFIRMED);
        assertRefused(store.releaseConfirmed(id, entity.toUpperCase(Locale.ROOT)), ClaimStatus.CONFIRMED);
        assertRefused(store.releaseConfirmed(id, entity + " "), ClaimStatus.CONFIRMED);
        done(otherNode.releaseConfirmed(id, entity));

        assertThat(found().status()).isEqualTo(ClaimStatus.RELEASED);
        assertThat(found().entityId()).as("whose it was").hasValue(entity);
        assertRefused(store.releaseConfirmed(id, entity), ClaimStatus.RELEASED);
        granted(store, claim(id, LONG));
    }

    @Test
    void ofRacingConfirmationsExactlyOneSucceeds() throws Exception {
        ClaimRef owner = ref(reserved());

        List<ClaimChange> changes = atOnce(node -> node.confirm(owner, entity));

        assertThat(changes).filteredOn(ClaimChange.Done.class::isInstance).hasSize(1);
        assertThat(found().version()).isEqualTo(2);
    }

    @Test
    void ofAConfirmationAndAReleaseThatRaceExactlyOneSucceeds() throws Exception {
        ClaimRef owner = ref(reserved());
        AtomicInteger racers = new AtomicInteger();

        List<ClaimChange> changes = atOnce(node -> {
            boolean confirms = racers.getAndIncrement() % 2 == 0;
            return confirms ? node.confirm(owner, entity) : node.release(owner);
        });

        assertThat(changes).filteredOn(ClaimChange.Done.class::isInstance).hasSize(1);
        assertThat(found().version()).isEqualTo(2);
    }
}
