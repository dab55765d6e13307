// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When {@code forceUnlock()} has returned, no thread of the same manager trusts the hold that it ended. */
public abstract class ForcingContract extends OnScriptedStore {

    private static final int ENOUGH = 100;

    private Actor holder;
    private Actor admin;

    @BeforeEach
    void hold() {
        store.withoutSignals(); // The manager itself knows what it did.
        node = nodeOn(store);
        reservation = node.getReservation(ID);
        holder = actor("holder");
        admin = actor("admin");
    }

    @Test
    void aHolderThatGotTheKeyMeanwhileLosesIt() {
        Actor next = actor("next");
        holder.does(() -> reservation.lock(LONG_LEASE));
        store.next(Op.FORCE_RELEASE, false, () -> {
            holder.does(reservation::unlock);
            next.does(() -> reservation.lock(LONG_LEASE));
        });

        admin.does(reservation::forceUnlock);

        assertThat(reservation.isLocked()).isFalse();
        assertLost(next);
    }

    @Test
    void aHolderWhoseGrantWasOnItsWayLosesIt() {
        store.next(Op.ACQUIRE, true, () -> admin.does(reservation::forceUnlock));

        holder.does(() -> reservation.lock(LONG_LEASE));

        assertLost(holder);
    }

    @Test
    void aHolderLosesTheKeyAlsoIfTheReplyToTheForcedReleaseGotLost() {
        holder.does(() -> reservation.lock(LONG_LEASE));
        store.loseNextReply(Op.FORCE_RELEASE);

        admin.does(reservation::forceUnlock);

        assertLost(holder);
    }

    @Test
    void aHolderThatGotTheKeyAfterwardsKeepsIt() {
        Actor next = actor("next");
        holder.does(() -> reservation.lock(LONG_LEASE));
        store.next(Op.FORCE_RELEASE, true, () -> next.does(() -> reservation.lock(LONG_LEASE)));

        admin.does(reservation::forceUnlock);

        assertThat(next.ask(reservation::isHeldByCurrentThread)).isTrue();
        next.does(reservation::unlock);
        assertLost(holder);
    }

    @Test
    void aHolderLosesTheKeyAlsoIfEveryReplyToTheForcedReleaseGetsLost() {
        holder.does(() -> reservation.lock(LONG_LEASE));
        store.loseReplies(Op.FORCE_RELEASE);

        assertThatThrownBy(() -> admin.does(reservation::forceUnlock)).isInstanceOf(ReservationException.class);

        assertLost(holder);
    }

    @Test
    void aHolderOfAnotherKeyWhoseGrantWasOnItsWayKeepsIt() {
        Reservation other = node.getReservation("other");
        store.next(Op.ACQUIRE, true, () -> {
            admin.does(reservation::forceUnlock);
            store.always(Op.FIND, () -> {
                throw new StoreException(Kind.UNAVAILABLE, "Scripted");
            });
        });

        holder.does(() -> other.lock(LONG_LEASE));

        store.comeBack();
        assertThat(holder.ask(other::isHeldByCurrentThread)).isTrue();
        holder.does(other::unlock);
    }

    @Test
    void aHolderWhoseGrantWasOnItsWayLosesItAlsoIfOtherKeysWereForcedAfterwards() {
        store.next(Op.ACQUIRE, true, () -> {
            admin.does(reservation::forceUnlock);
            for (int i = 0; i < 150; i++) {
                Reservation other = node.getReservation("other-" + i);
                admin.does(other::forceUnlock);
            }
        });

        holder.does(() -> reservation.lock(LONG_LEASE));

        assertLost(holder);
    }

    private void assertLost(Actor loser) {
        assertThat(loser.ask(reservation::isHeldByCurrentThread)).isFalse();
        assertThatThrownBy(() -> loser.does(reservation::unlock)).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void noHolderOfManyTrustsAHoldThatWasForced() throws Exception {
        Turns turns = new Turns();
        List<Future<?>> holding = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            holding.add(actor("holder " + i).starts(turns::take));
        }
        Future<?> forcing = admin.starts(turns::force);

        backend.await(ENOUGH + " holds were forced", () -> turns.lost.get() >= ENOUGH || forcing.isDone());
        turns.over.set(true);
        backend.await("all are done", () -> forcing.isDone() && holding.stream().allMatch(Future::isDone));

        Actor.result(forcing);
        holding.forEach(Actor::result);
        assertThat(turns.trusted).as("holds that were trusted after they had been forced").hasValue(0);
    }

    /** Threads that take turns with the key while another one forces it. */
    private final class Turns {

        final AtomicBoolean over = new AtomicBoolean();
        final AtomicInteger lost = new AtomicInteger();
        final AtomicInteger trusted = new AtomicInteger();

        /** Odd while a forced release is under way. */
        private final AtomicInteger forced = new AtomicInteger();

        void force() throws InterruptedException {
            while (!over.get()) {
                forced.incrementAndGet();
                reservation.forceUnlock();
                forced.incrementAndGet();
                Thread.sleep(2); // The holders check while nothing is forced.
            }
        }

        void take() {
            Reservation mine = node.getReservation(ID);
            while (!over.get()) {
                mine.lock(LONG_LEASE);
                int until = forced.get() + ThreadLocalRandom.current().nextInt(4);
                while (mine.isHeldByCurrentThread() && forced.get() < until && !over.get()) {
                    check(mine);
                }
                try {
                    mine.unlock();
                } catch (ReservationExpiredException e) {
                    lost.incrementAndGet();
                }
            }
        }

        /** If no forced release is under way, a hold is trusted only if the store has it. */
        private void check(Reservation mine) {
            int before = forced.get();
            Optional<ReservationInfo> stored = node.findReservation(ID);
            OptionalLong token = mine.fencingToken();
            boolean isMine = stored.isPresent()
                    && (token.isEmpty() || stored.get().fencingToken().equals(token));
            boolean isTrusted = mine.isHeldByCurrentThread();
            if (before % 2 == 0 && forced.get() == before && isTrusted && !isMine) {
                trusted.incrementAndGet();
            }
        }
    }
}
