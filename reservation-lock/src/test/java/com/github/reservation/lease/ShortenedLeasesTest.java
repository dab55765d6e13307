// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ForwardingStore;
import com.github.reservation.demo.MapStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that grants a shorter time than was asked for: nobody is told that the lease runs longer. */
class ShortenedLeasesTest {

    private static final Duration ASKED = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** A store whose server has a limit. */
    private static final class Limited extends ForwardingStore implements ShorteningStore {

        Limited(LeaseStore store) {
            super(store);
        }

        private static Duration shorter(Duration asked) {
            return asked.compareTo(LIMIT) < 0 ? asked : LIMIT;
        }

        @Override
        public Duration granted(LeaseId lease, Duration asked) {
            return shorter(asked);
        }

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            return super.acquire(AcquireRequest.once(request.lease(), shorter(request.leaseTime()), request.node()));
        }

        @Override
        public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
            return super.renew(leases, shorter(lease));
        }
    }

    @Test
    void theLeasesOfAProviderEndWhenThoseOfTheStoreDo() {
        try (ReservationManager manager =
                ReservationManager.on(new Limited(new MapStore())).domain("orders").build()) {
            LockProvider provider = manager.lockProvider();

            LockLease acquired = provider.acquireLock("42", "execution", ASKED);
            assertThat(acquired).isNotNull();
            List<LockLease> renewed = provider.renew(List.of(acquired), ASKED);

            long latest = System.currentTimeMillis() + LIMIT.toMillis();
            assertThat(acquired.expiresAt()).isLessThanOrEqualTo(latest);
            assertThat(renewed).singleElement()
                    .satisfies(lease -> assertThat(lease.expiresAt()).isLessThanOrEqualTo(latest));
        }
    }
}
