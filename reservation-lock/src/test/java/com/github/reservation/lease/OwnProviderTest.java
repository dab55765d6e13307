// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.bridge.ProviderLeaseStore;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock manager on a provider that a user wrote. */
@SideBySide
class OwnProviderTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String REJECTED = "rejected-";
    private static final LockOptions LONG = LockOptions.defaults().leaseTime(Duration.ofMinutes(10));

    private final ReservationManager manager =
            ReservationManager.inMemory().domain("jobs").build();
    private final FailingProvider provider = new FailingProvider(manager.lockProvider());
    private final LockManager locks = LockManager.of(provider, LEASE);

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void workRunsUnderALeaseOfTheProvider() {
        LockExecutionResult<Boolean> result =
                locks.tryCall("report", lock -> manager.getReservation("report").isLocked());

        assertThat(result.orElse(false)).isTrue();
        assertThat(manager.getReservation("report").isLocked()).isFalse();
    }

    @Test
    void aBusyLockIsNotAcquired() {
        manager.getReservation("report").lock();

        assertThat(locks.tryRun("report", lock -> {}).isExecuted()).isFalse();
        assertThat(locks.tryAcquire("report")).isNull();
    }

    @Test
    void whoWaitsGetsTheLock() throws Exception {
        HeldLock held = manager.acquire("report");
        Thread releasing = Thread.ofVirtual().unstarted(held::close);
        releasing.start();

        try (HeldLock lock = locks.acquire("report")) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(lock.fencingToken()).isEmpty();
        }
        releasing.join();
    }

    @Test
    void theLeaseIsRenewedWhileItIsHeld() throws Exception {
        HeldLock lock = locks.acquire("report");

        await().until(() -> provider.renewals.get() >= 4);

        assertThat(lock.isHeld()).isTrue();
        assertThat(manager.getReservation("report").isLocked()).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(manager.getReservation("report").isLocked()).isFalse();
    }

    @Test
    void aLeaseThatTheProviderDoesNotRenewIsLost() throws Exception {
        HeldLock lock = locks.acquire("report");

        manager.getReservation("report").forceUnlock();

        await().until(() -> !lock.isHeld());
        assertThat(lock.remaining()).isZero();
    }

    @Test
    void aCloseAfterTheEndOfTheLeaseThrows() throws Exception {
        Duration lease = Duration.ofMillis(500);
        HeldLock lock = locks.acquire("report", LockOptions.defaults().leaseTime(lease).maxHold(lease));

        await().until(() -> !manager.getReservation("report").isLocked());

        assertThatThrownBy(lock::close).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void aProviderThatFailsAfterItGrantedTheLockLeavesNoGhost() throws Exception {
        provider.failAfterGrants = 1;

        try (HeldLock lock = locks.acquire("report", LONG)) {
            assertThat(lock.isHeld()).isTrue();
        }

        await().until(() -> !manager.getReservation("report").isLocked());
    }

    @Test
    void aProviderThatIsDownIsAnException() {
        provider.down = true;

        assertThatThrownBy(() -> locks.tryRun("report", lock -> {}))
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("report")
                .hasMessageContaining("no network");
        provider.down = false;
    }

    @Test
    void aReleaseThatTheProviderDoesNotAnswerIsSentAgain() throws Exception {
        HeldLock lock = locks.acquire("report", LONG);
        provider.down = true;

        assertThatThrownBy(lock::release).isInstanceOf(ReservationException.class);
        assertThat(manager.getReservation("report").isLocked()).isTrue();
        provider.down = false;

        await().until(() -> !manager.getReservation("report").isLocked());
    }

    @Test
    void releasesThatTheProviderAlwaysRejectsDoNotHoldUpTheOthers() throws Exception {
        List<HeldLock> held = new ArrayList<>(List.of(locks.acquire("a", LONG), locks.acquire("z", LONG)));
        for (int i = 0; i < 100; i++) {
            held.add(locks.acquire(REJECTED + i, LONG));
        }
        provider.down = true;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> release : held.stream().map(lock -> threads.submit(lock::release)).toList()) {
                assertThat(Actor.failure(release)).isInstanceOf(ReservationException.class);
            }
        }
        provider.rejects = true;
        provider.down = false;

        await().until(() -> !manager.getReservation("a").isLocked() && !manager.getReservation("z").isLocked());

        assertThat(manager.listReservations()).hasSize(100);
        provider.rejects = false;
        await().until(() -> manager.listReservations().isEmpty());
    }

    @Test
    void aProviderMayHaveOtherNamesForItsLeases() throws Exception {
        Renaming renaming = new Renaming(provider);
        HeldLock lock = LockManager.of(renaming, LEASE).acquire("report");

        await().until(() -> provider.renewals.get() >= 2);

        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(manager.getReservation("report").isLocked()).isFalse();
    }

    @Test
    void aProviderThatLooksAtTheEndsOfItsLeasesGetsThemAsItReturnedThem() throws Exception {
        HandWrittenProvider strict = new HandWrittenProvider(LEASE, Ticker.system());
        try (HeldLock lock = LockManager.of(strict, LEASE).acquire("report")) {
            await().until(() -> strict.renewals.get() >= 2);

            assertThat(lock.isHeld()).isTrue();
        }
        assertThat(strict.held).isEmpty();
    }

    @Test
    void aLeaseThatIsShorterThanWasAskedForIsRenewedInTime_andNotTrustedAfterItsEnd() throws Exception {
        HandWrittenProvider shortLeases = new HandWrittenProvider(LEASE, Ticker.system());
        HeldLock lock = LockManager.of(shortLeases, Duration.ofMinutes(10)).acquire("report");

        assertThat(lock.remaining()).isLessThanOrEqualTo(LEASE);
        await().until(() -> shortLeases.renewals.get() >= 2);
        assertThat(lock.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
        shortLeases.down = true;

        await().until(() -> !lock.isHeld());
    }

    @Test
    void shortenedLeasesAreRenewedUntilTheLockIsHeldForAsLongAsItMayBe() throws Exception {
        ManualTicker ticker = new ManualTicker();
        HandWrittenProvider shortLeases = new HandWrittenProvider(LEASE, ticker);
        Duration asked = LEASE.multipliedBy(10);
        try (ReservationManager own = managerOf(shortLeases, asked, ticker)) {
            List<LostReservation> told = new CopyOnWriteArrayList<>();
            own.onLost(told::add);
            HeldLock lock =
                    own.acquire("report", LockOptions.defaults().maxHold(asked.multipliedBy(2)));

            for (int i = 1; i < 2 * 2 * 10 - 1; i++) { // Half a lease at a time, and at the end one lease is left.
                ticker.advance(LEASE.dividedBy(2));
                await().until(() -> !lock.isHeld() || lock.remaining().compareTo(LEASE.dividedBy(2)) > 0);
                assertThat(lock.isHeld()).as("after " + i + " halves of a lease").isTrue();
            }
            ticker.advance(LEASE.plus(LEASE));

            await().until(() -> !told.isEmpty());
            assertThat(told).singleElement().extracting(LostReservation::reason).isEqualTo(LossReason.MAX_HOLD_REACHED);
        }
    }

    @Test
    void aRenewalThatReturnsAnEndedLeaseIsALossAndIsNotRepeated() throws Exception {
        ManualTicker ticker = new ManualTicker(); // In real time, a call that is late would be sent again.
        HandWrittenProvider inVain = new HandWrittenProvider(LEASE, ticker);
        inVain.renewsInVain = true;
        try (ReservationManager own = managerOf(inVain, LEASE, ticker)) {
            HeldLock lock = own.acquire("report");

            ticker.advance(LEASE.dividedBy(2));
            await().until(() -> !lock.isHeld());

            assertThat(inVain.renewals).hasValue(1);
        }
    }

    private static ReservationManager managerOf(HandWrittenProvider provider, Duration lease, ManualTicker ticker) {
        return new StoreReservationManager(
                new ProviderLeaseStore(provider, ticker),
                new ManagerSettings(
                        "jobs", lease, false, Duration.ofMillis(10), Duration.ofMillis(100), ticker, Meters.NONE));
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatThrownBy(() -> LockManager.of(null, LEASE)).hasMessageContaining("provider");
        assertThatThrownBy(() -> LockManager.of(provider, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease");
    }

    /** A provider on a real store, with failures in between. */
    private static final class FailingProvider implements LockProvider {

        private final LockProvider provider;
        private final AtomicInteger renewals = new AtomicInteger();
        private volatile int failAfterGrants;
        private volatile boolean down;
        private volatile boolean rejects;

        private FailingProvider(LockProvider provider) {
            this.provider = provider;
        }

        @Override
        public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
            requireUp();
            LockLease lease = provider.acquireLock(lockName, executionId, leaseDuration);
            if (lease != null && failAfterGrants > 0) {
                failAfterGrants--;
                throw new IllegalStateException("reply lost");
            }
            return lease;
        }

        @Override
        public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
            requireUp();
            renewals.incrementAndGet();
            return provider.renew(leases, leaseDuration);
        }

        @Override
        public void release(List<LockLease> leases) {
            requireUp();
            if (rejects && leases.stream().anyMatch(lease -> lease.name().startsWith(REJECTED))) {
                throw new IllegalStateException("never heard of it");
            }
            provider.release(leases);
        }

        private void requireUp() {
            if (down) {
                throw new IllegalStateException("no network");
            }
        }
    }

    /** A provider that puts a prefix before the names of its leases, and knows no lease without it. */
    private record Renaming(LockProvider provider) implements LockProvider {

        private static final String PREFIX = "app:";

        @Override
        public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
            LockLease lease = provider.acquireLock(lockName, executionId, leaseDuration);
            return lease == null ? null : renamed(lease);
        }

        @Override
        public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
            return provider.renew(plain(leases), leaseDuration).stream().map(Renaming::renamed).toList();
        }

        @Override
        public void release(List<LockLease> leases) {
            provider.release(plain(leases));
        }

        private static LockLease renamed(LockLease lease) {
            return new LockLease(PREFIX + lease.name(), lease.executionId(), lease.expiresAt());
        }

        private static List<LockLease> plain(List<LockLease> leases) {
            return leases.stream()
                    .filter(lease -> lease.name().startsWith(PREFIX))
                    .map(lease -> new LockLease(
                            lease.name().substring(PREFIX.length()), lease.executionId(), lease.expiresAt()))
                    .toList();
        }
    }
}
