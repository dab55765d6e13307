// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.lock.ManagerProbe;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockAction;
import com.github.reservation.lease.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a manager does beyond its reservations: it runs, lists, closes and keeps keys apart. */
public abstract class ManagerContract extends ContractTest {

    @Test
    void listReservationsShowsWhoHoldsWhatInThisDomain() {
        try (ReservationManager elsewhere = backend.node("elsewhere", LEASE)) {
            manager.getReservation("a").lock();
            actor("worker").does(() -> otherNode.getReservation("b").lock());
            elsewhere.getReservation("c").lock();

            List<ReservationInfo> listed = manager.listReservations();

            assertThat(listed).extracting(ReservationInfo::identifier).containsExactlyInAnyOrder("a", "b");
            assertThat(listed).allSatisfy(info -> {
                assertThat(info.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
                assertThat(info.since()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
                assertThat(info.holder()).contains("@").doesNotContainPattern("[0-9a-f]{32}");
            });
            assertThat(listed).anySatisfy(info -> assertThat(info.holder()).startsWith("worker-"));
        }
    }

    @Test
    void findReservationShowsWhoHoldsOne() throws Exception {
        Reservation ours = manager.getReservation("ours");
        ours.lock();
        actor("worker").does(() -> otherNode.getReservation("theirs").lock());

        assertThat(manager.findReservation("ours")).hasValueSatisfying(info -> {
            assertThat(info.identifier()).isEqualTo("ours");
            assertThat(info.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
            assertThat(info.fencingToken()).isEqualTo(ours.fencingToken());
        });
        backend.await("the other holder is known", () -> manager.findReservation("theirs")
                .filter(info -> info.holder().startsWith("worker-")).isPresent());
        assertThat(manager.findReservation("free")).isEmpty();
        assertThatThrownBy(() -> manager.findReservation("")).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void closeKeepsHeldReservationsUnlockable() throws Exception {
        Reservation held = manager.getReservation(ID);
        held.lock();

        manager.close();
        manager.close();

        assertThat(otherNode.getReservation(ID).isLocked()).isTrue();
        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(() -> manager.getReservation("other").lock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> manager.run("other", other -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::tryLock).isInstanceOf(IllegalStateException.class);
        manager.getReservation(ID).unlock(); // A new handle, as in a finally block.
        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
        ManagerProbe probe = new ManagerProbe(manager);
        backend.await("the watch has ended", () -> !probe.isWatching());
    }

    @Test
    void runGivesBackWhatItTook_andPassesTheLock() {
        AtomicBoolean held = new AtomicBoolean();

        manager.run(ID, lock -> held.set(lock.isHeld() && manager.getReservation(ID).isHeldByCurrentThread()));

        assertThat(held).isTrue();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
        assertThat(manager.<String, RuntimeException>call(ID, HeldLock::name)).isEqualTo(ID);
    }

    @Test
    void workHoldsForTheGivenLease_andGivesBackWhatItTook() throws Exception {
        AtomicReference<Duration> remaining = new AtomicReference<>();

        manager.run(ID, LockOptions.defaults().leaseTime(LEASE.multipliedBy(10)), held -> remaining.set(
                held.remaining()));

        assertThat(remaining.get()).isBetween(LEASE.multipliedBy(9), LEASE.multipliedBy(10));
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void whatTheWorkThrowsIsNeverHiddenByALossOnTheWayOut() {
        LockAction<IOException> failing = held -> {
            manager.getReservation(ID).forceUnlock();
            throw new IOException("the work failed");
        };
        for (ThrowingCallable work : List.<ThrowingCallable>of(
                () -> manager.run(ID, failing), () -> manager.tryRun(ID, failing))) {
            assertThatThrownBy(work)
                    .isInstanceOf(IOException.class)
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .singleElement()
                            .isInstanceOf(ReservationExpiredException.class));
        }
        assertThatThrownBy(() -> manager.run(ID, held -> manager.getReservation(ID).forceUnlock()))
                .isInstanceOf(ReservationExpiredException.class);
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void aLabelOfTheBuilderNamesTheHolder() {
        try (ReservationManager labelled = backend.labelledNode(DOMAIN, LEASE, "checkout-1")) {
            labelled.run(ID, held -> assertThat(manager.findReservation(ID))
                    .hasValueSatisfying(info -> assertThat(info.holder())
                            .isEqualTo(Thread.currentThread().getName() + '-' + Thread.currentThread().threadId()
                                    + "@checkout-1")));
        }
    }

    @Test
    void hostileKeysAreAllDifferentLocks() {
        List<String> identifiers = List.of(
                "a", "A", "a ", " a", "\u00e9", "e\u0301", "\u00df", "ss", "\ud83d\udd12", "\ud83d\udd13", ":a", "a:",
                ":", "%", "_", "a%", "'", "\"", "\\", "a\nb", "\u200b", "a\u200b", "x".repeat(499), "x".repeat(498),
                "\ud83d\udd12".repeat(124));

        ReservationManager lasting = node(Duration.ofMinutes(10));

        identifiers.forEach(identifier -> assertThat(lasting.getReservation(identifier).tryLock())
                .as(identifier)
                .isTrue());

        identifiers.forEach(identifier -> {
            assertThat(otherNode.getReservation(identifier).tryLock()).as(identifier).isFalse();
            lasting.getReservation(identifier).unlock();
            assertThat(otherNode.getReservation(identifier).isLocked()).as(identifier).isFalse();
        });
        assertThat(new ManagerProbe(lasting).isEmpty()).isTrue();
    }

    @Test
    void tooLongKeyRejected() {
        assertThat("test-domain::".length() + 499).isEqualTo(512);
        assertThatThrownBy(() -> manager.getReservation("x".repeat(500)))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageContaining("513 bytes");
        assertThatThrownBy(() -> manager.getReservation("\ud83d\udd12".repeat(125)))
                .isInstanceOf(InvalidReservationKeyException.class);
        assertThatThrownBy(() -> manager.getReservation("a::b")).isInstanceOf(InvalidReservationKeyException.class);
        assertThatThrownBy(() -> manager.getReservation("a\0b")).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void keysOfDifferentDomainsNeverCollide() {
        try (ReservationManager one = backend.node("a", LEASE);
                ReservationManager two = backend.node("a:b", LEASE)) {
            one.getReservation(":b").lock();
            one.getReservation("b").lock();

            assertThat(two.getReservation("b").tryLock()).isTrue();
            assertThat(two.getReservation(":b").tryLock()).isTrue();
        }
    }
}
