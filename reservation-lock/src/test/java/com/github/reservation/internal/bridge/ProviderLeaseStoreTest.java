// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationManager;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An acquisition whose reply got lost stays in doubt until it is known what became of it. */
class ProviderLeaseStoreTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    /** A provider that can lose the reply to an acquisition. */
    private static final class Lossy implements LockProvider {

        private final LockProvider provider;
        private boolean losesReply;
        private boolean leavesEnds;
        private int renewals;

        private Lossy(LockProvider provider) {
            this.provider = provider;
        }

        @Override
        public LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
            LockLease lease = provider.acquireLock(lockName, executionId, leaseDuration);
            if (losesReply) {
                losesReply = false;
                throw new IllegalStateException("lost reply");
            }
            return lease;
        }

        @Override
        public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
            renewals++;
            if (leavesEnds) {
                return leases;
            }
            return provider.renew(leases, leaseDuration);
        }

        @Override
        public void release(List<LockLease> leases) {
            provider.release(leases);
        }
    }

    private final ReservationManager manager = ReservationManager.inMemory().domain("orders").build();
    private final Lossy provider = new Lossy(manager.lockProvider());
    private final ManualTicker ticker = new ManualTicker();
    private final ProviderLeaseStore leases = new ProviderLeaseStore(provider, ticker);
    private final LeaseId mine = new LeaseId("42", "mine");

    @AfterEach
    void stop() {
        manager.close();
    }

    @Test
    void anotherRequestThatIsRefusedDoesNotHideALeaseInDoubt() throws Exception {
        loseReply();

        assertThat(acquire(new LeaseId("42", "other"))).isInstanceOf(Acquisition.Refused.class);

        assertThat(leases.find("42")).get().extracting(StoredLease::id).isEqualTo(mine);
    }

    @Test
    void anotherRequestThatFailsDoesNotHideALeaseInDoubt() throws Exception {
        loseReply();

        provider.losesReply = true;
        assertThatThrownBy(() -> acquire(new LeaseId("42", "other"))).isInstanceOf(StoreException.class);

        assertThat(leases.find("42")).get().extracting(StoredLease::id).isEqualTo(mine);
    }

    @Test
    void aRepeatedRequestThatIsRefusedByItsOwnLeaseFindsIt() throws Exception {
        loseReply();

        assertThat(acquire(mine)).isInstanceOf(Acquisition.Refused.class);

        assertThat(leases.find("42")).get().extracting(StoredLease::id).isEqualTo(mine);
    }

    @Test
    void aLeaseThatTheProviderReturnsWithItsOldEndIsUndecided() throws Exception {
        acquire(mine);
        provider.leavesEnds = true;

        Renewal unanswered = leases.renew(List.of(mine), Duration.ofDays(1));
        assertThat(unanswered.renewed()).isEmpty();
        assertThat(unanswered.undecided()).containsExactly(mine);

        provider.leavesEnds = false;
        assertThat(leases.renew(List.of(mine), Duration.ofDays(1)).renewed()).containsExactly(mine);
    }

    @Test
    void aLeaseThatTheProviderReturnsWithItsOldEndIsRenewedIfItEndsLaterThanWasAskedFor() throws Exception {
        acquire(mine);
        provider.leavesEnds = true;

        assertThat(leases.renew(List.of(mine), Duration.ofMillis(1)).renewed()).containsExactly(mine);
    }

    @Test
    void aLeaseThatWasReleasedIsNotFound() throws Exception {
        loseReply();

        leases.release(List.of(mine));

        assertThat(leases.find("42")).isEmpty();
    }

    @Test
    void aLookOfAnotherThreadDoesNotMakeALossOfAReleaseThatIsRepeated() throws Exception {
        loseReply();
        assertThat(leases.find("42")).isPresent();
        provider.release(List.of(new LockLease("42", "mine", 0))); // The first attempt, whose reply got lost.

        assertThat(leases.find("42")).isEmpty();

        assertThat(leases.release(List.of(mine))).containsExactly(mine);
    }

    @Test
    void aLeaseThatItsCallerHasIsNotInDoubtAnyMore() throws Exception {
        loseReply();
        assertThat(leases.find("42")).isPresent();

        leases.granted(mine, LEASE);

        assertThat(leases.find("42")).isEmpty();
    }

    @Test
    void allLeasesInDoubtAreLookedForInOneCall() throws Exception {
        loseReply();
        provider.losesReply = true;
        assertThatThrownBy(() -> acquire(new LeaseId("42", "other"))).isInstanceOf(StoreException.class);

        leases.find("42");

        assertThat(provider.renewals).isEqualTo(1);
    }

    @Test
    void aLookDoesNotKeepALeaseAliveThatNobodyReleasesAnyMore() throws Exception {
        loseReply();
        ticker.advance(LEASE);

        assertThat(leases.find("42")).isEmpty();

        assertThat(provider.renewals).isZero();
    }

    private void loseReply() {
        provider.losesReply = true;
        assertThatThrownBy(() -> acquire(mine)).isInstanceOf(StoreException.class);
    }

    private Acquisition acquire(LeaseId lease) throws StoreException {
        return leases.acquire(AcquireRequest.once(lease, LEASE, AcquireRequest.NO_NODE));
    }
}
