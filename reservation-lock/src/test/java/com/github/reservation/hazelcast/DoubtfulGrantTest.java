// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A member dies, or falls silent, that has done what it was asked for, and may not have told its backup. Hazelcast says that
 * it is done nevertheless, after it has waited for the backup for some seconds.
 */
@SideBySide
@Needs(Backend.HAZELCAST)
class DoubtfulGrantTest {

    private static final Duration LEASE = Duration.ofHours(1);
    private static final Duration LONG_FOR_A_CALL = Duration.ofMillis(1100);

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final ReservationManager manager = manager(interceptor.instance());
    private final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void shutDown() {
        manager.close();
        member.shutdown();
    }

    @Test
    void aGrantThatDiedWithItsMemberIsAskedForAgain() {
        aMemberDiesAfterItsAnswer(this::loseTheLock);

        reservation.lock();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantThatSurvivedIsKept_andGivenBackAsAWhole() {
        aMemberDiesAfterItsAnswer(() -> {});

        assertThat(reservation.tryLock()).isTrue();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantThatDiedWithItsMemberIsRefused_ifAnotherOwnerHasTheLockByNow() {
        try (ReservationManager other = manager(member)) {
            aMemberDiesAfterItsAnswer(() -> {
                loseTheLock();
                other.getReservation("42").lock();
            });

            assertThat(reservation.tryLock()).isFalse();

            assertThat(other.getReservation("42").isHeldByCurrentThread()).isTrue();
            other.getReservation("42").unlock();
            assertThat(isLocked()).isFalse();
        }
    }

    @Test
    void aGrantThatSurvivedCanBeRenewed() {
        aMemberDiesAfterItsAnswer(() -> {});
        reservation.lock();

        assertThat(reservation.renew()).isTrue();

        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aRefusalIsNotInDoubt() {
        try (ReservationManager other = manager(member)) {
            other.getReservation("42").lock();
            aMemberDiesAfterItsAnswer(() -> other.getReservation("42").unlock());

            assertThat(reservation.tryLock()).isFalse();

            assertThat(isLocked()).isFalse();
        }
    }

    @Test
    void aGrantIsConfirmedForAsLongAsMembersDie() {
        for (int i = 0; i < 3; i++) {
            aMemberAnswersAndDies("tryLock", true);
        }

        assertThat(reservation.tryLock()).isTrue();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantThatCannotBeConfirmedIsGivenBack() {
        aMemberDiesAfterItsAnswer(() -> {});
        interceptor.next("tryLock", real -> {
            throw new SplitBrainProtectionException("Too few members");
        });

        assertThat(reservation.tryLock()).isFalse();

        await().until(() -> !isLocked());
    }

    @Test
    void aRenewalThatDiedWithItsMemberIsMadeAgain() {
        reservation.lock();
        interceptor.next("tryLock", Callable::call);
        aMemberAnswersAndDies("tryLock", true);

        assertThat(reservation.renew()).isTrue();

        assertThat(reservation.renew()).as("the next one").isTrue();
        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aRenewalWhoseUnlockDiedWithItsMemberLeavesNothingLocked() {
        reservation.lock();
        aMemberAnswersAndDies("unlock", null);

        assertThat(reservation.renew()).isTrue();
        reservation.unlock();

        assertThat(isLocked()).isFalse();
    }

    @Test
    void anUnlockThatDiedWithItsMemberIsMadeAgain() {
        reservation.lock();
        aMemberAnswersAndDies("unlock", null);

        reservation.unlock();

        await().until(() -> !isLocked());
    }

    @Test
    void aGrantThatCameWhileItsPartitionWasLostIsAskedForAgain() {
        AtomicInteger repeats = new AtomicInteger();
        manager.getReservation("first").lock();
        await().until(interceptor::hasPartitionListener);
        interceptor.next("tryLock", real -> {
            Object granted = real.call();
            interceptor.pretendThatThePartitionIsLost("42");
            return granted;
        });
        interceptor.next("tryLock", real -> {
            repeats.incrementAndGet();
            return real.call();
        });

        reservation.lock();

        assertThat(repeats).hasValue(1);
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
    }

    @Test
    void aGrantThatTookLongIsAskedForAgain_becauseItsMemberMayHaveFallenSilent() {
        interceptor.next("tryLock", real -> {
            Object answer = takesLong(real);
            loseTheLock();
            return answer;
        });

        assertThat(reservation.tryLock()).isTrue();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantIsNotAskedForAgainForEver_ifTheClusterIsSlow() {
        interceptor.next("tryLock", DoubtfulGrantTest::takesLong);
        interceptor.next("tryLock", DoubtfulGrantTest::takesLong);
        AtomicBoolean askedAgain = new AtomicBoolean();
        interceptor.next("tryLock", real -> {
            askedAgain.set(true);
            return real.call();
        });

        assertThat(reservation.tryLock()).isTrue();

        assertThat(askedAgain).isFalse();
    }

    @Test
    void aRenewalThatTookLongIsMadeAgain() {
        reservation.lock();
        interceptor.next("tryLock", Callable::call);
        interceptor.next("tryLock", real -> {
            Thread.sleep(LONG_FOR_A_CALL);
            return true;
        });

        assertThat(reservation.renew()).isTrue();

        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void anUnlockThatTookLongIsMadeAgain() {
        reservation.lock();
        interceptor.next("unlock", real -> {
            Thread.sleep(LONG_FOR_A_CALL);
            return null;
        });

        reservation.unlock();

        await().until(() -> !isLocked());
    }

    /** Answers as late as a client that has waited for a backup in vain. */
    private static Object takesLong(Callable<Object> real) throws Exception {
        Object answer = real.call();
        Thread.sleep(LONG_FOR_A_CALL);
        return answer;
    }

    /** Plans that the next request for the lock is answered, and that a member dies after what happens then. */
    private void aMemberDiesAfterItsAnswer(Runnable then) {
        interceptor.next("tryLock", real -> {
            Object answer = real.call();
            then.run();
            interceptor.pretendThatAMemberIsGone();
            return answer;
        });
    }

    /** Plans that a member answers the next call and dies, and that nothing is left of what it has done. */
    private void aMemberAnswersAndDies(String method, @Nullable Object answer) {
        interceptor.next(method, real -> {
            interceptor.pretendThatAMemberIsGone();
            return answer;
        });
    }

    private void loseTheLock() {
        member.getMap("reservations-orders").forceUnlock("42");
    }

    private boolean isLocked() {
        return member.getMap("reservations-orders").isLocked("42");
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("orders").leaseTime(LEASE).build();
    }
}
