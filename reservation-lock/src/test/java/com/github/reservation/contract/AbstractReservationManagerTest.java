// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The first promises of the library, made to whoever builds a manager: seventeen, each on every backend. */
public abstract class AbstractReservationManagerTest {

    protected static final String DEFAULT_DOMAIN = "test-domain";

    private final Actor other = new Actor("other");
    protected ReservationManager manager;

    protected abstract ReservationManager createManager(String domain, Duration leaseTime);

    /** Lets time pass. */
    protected abstract void passTime(Duration duration);

    protected abstract void cleanup();

    @BeforeEach
    void setUp() {
        manager = createManager(DEFAULT_DOMAIN, Duration.ofSeconds(5));
    }

    @AfterEach
    void tearDown() {
        other.close();
        manager.close();
        cleanup();
    }

    @Test
    void shouldAcquireAndReleaseReservation() {
        Reservation reservation = manager.getReservation("123");

        reservation.lock();
        assertThat(reservation.isLocked()).isTrue();

        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void shouldReturnCorrectIdentifier() {
        assertThat(manager.getReservation("456").getIdentifier()).isEqualTo("456");
    }

    @Test
    void shouldReturnCorrectDomainFromManager() {
        assertThat(manager.getDomain()).isEqualTo(DEFAULT_DOMAIN);
    }

    @Test
    void shouldExpireAfterLeaseTime() {
        try (ReservationManager brief = createManager(DEFAULT_DOMAIN, Duration.ofSeconds(2))) {
            Reservation reservation = brief.getReservation("789");
            reservation.lock();
            assertThat(reservation.isLocked()).isTrue();

            passTime(Duration.ofSeconds(3));

            assertThat(reservation.isLocked()).isFalse();
            assertThatThrownBy(reservation::unlock)
                    .isInstanceOf(ReservationExpiredException.class)
                    .hasMessage("Reservation [test-domain::789] lease expired before unlock. "
                            + "Critical section guarantee may be violated.");
        }
    }

    @Test
    void shouldHavePositiveRemainingLeaseTimeAfterAcquire() {
        Reservation reservation = manager.getReservation("lease-test");
        reservation.lock();

        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(5));

        reservation.unlock();
    }

    @Test
    void shouldBlockConcurrentAcquisition() {
        Reservation reservation = manager.getReservation("concurrent");
        reservation.lock();

        assertThat(other.ask(() -> manager.getReservation("concurrent").tryLock())).isFalse();

        reservation.unlock();
    }

    @Test
    void shouldAllowAcquisitionAfterRelease() {
        Reservation reservation = manager.getReservation("release-test");
        reservation.lock();
        reservation.unlock();

        assertThat(other.ask(() -> manager.getReservation("release-test").tryLock())).isTrue();
    }

    @Test
    void shouldAllowAcquisitionAfterExpiry() throws Exception {
        try (ReservationManager brief = createManager(DEFAULT_DOMAIN, Duration.ofSeconds(1))) {
            assertThat(brief.getReservation("expiry-test").tryLock(1, TimeUnit.MINUTES)).isTrue();

            passTime(Duration.ofMillis(1500));

            assertThat(other.ask(() -> brief.getReservation("expiry-test").tryLock())).isTrue();
        }
    }

    @Test
    void tryLockShouldReturnTrueWhenAvailable() throws Exception {
        Reservation reservation = manager.getReservation("trylock-available");

        assertThat(reservation.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(reservation.isLocked()).isTrue();

        reservation.unlock();
    }

    @Test
    void tryLockShouldReturnFalseAfterTimeout() throws Exception {
        Reservation held = manager.getReservation("trylock-timeout");
        held.lock();

        Future<Boolean> waiting = other.startsAndWaits(
                () -> manager.getReservation("trylock-timeout").tryLock(500, TimeUnit.MILLISECONDS));
        passTime(Duration.ofMillis(500));

        assertThat(Actor.result(waiting)).isFalse();
        held.unlock();
    }

    @Test
    void forceUnlockShouldReleaseRegardlessOfOwner() {
        Reservation reservation = manager.getReservation("force-unlock");
        reservation.lock();

        manager.getReservation("force-unlock").forceUnlock();

        assertThat(reservation.isLocked()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void shouldSupportReentrantLocking() {
        Reservation reservation = manager.getReservation("reentrant");
        reservation.lock();
        reservation.lock();

        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void shouldRejectNullIdentifier() {
        assertThatThrownBy(() -> manager.getReservation(null)).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void shouldRejectEmptyIdentifier() {
        assertThatThrownBy(() -> manager.getReservation("")).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void newConditionShouldThrowUnsupportedOperationException() {
        assertThatThrownBy(() -> manager.getReservation("condition").newCondition())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("not supported");
    }

    @Test
    void lockInterruptiblyShouldThrowWhenInterrupted() throws Exception {
        Reservation held = manager.getReservation("interrupt");
        held.lock();

        Future<?> waiting = other.startsAndWaits(() -> manager.getReservation("interrupt").lockInterruptibly());
        other.thread().interrupt();

        assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        held.unlock();
    }

    @Test
    void shouldIsolateBetweenDomains() {
        try (ReservationManager orders = createManager("orders", Duration.ofSeconds(5));
                ReservationManager users = createManager("users", Duration.ofSeconds(5))) {
            Reservation order = orders.getReservation("123");
            Reservation user = users.getReservation("123");

            order.lock();
            assertThat(user.tryLock()).isTrue();

            order.unlock();
            user.unlock();
        }
    }
}
