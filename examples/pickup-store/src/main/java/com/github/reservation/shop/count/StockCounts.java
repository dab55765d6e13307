// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.catalog.Catalog;
import com.github.reservation.shop.count.Shelves.Written;
import com.github.reservation.spring.ReservationManagers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Stock counts as a person starts them: with an answer for every way in which they end. */
@Service
class StockCounts {

    private static final String RIVAL = "Night shift";

    private final Shelves shelves;
    private final CountBook book;
    private final Catalog catalog;
    private final DatabaseClock clock;
    private final ReservationManager locks;

    StockCounts(
            Shelves shelves, CountBook book, Catalog catalog, DatabaseClock clock, ReservationManagers managers) {
        this.shelves = shelves;
        this.book = book;
        this.catalog = catalog;
        this.clock = clock;
        this.locks = managers.get(Shelves.DOMAIN);
    }

    CountResult count(long storeId, String counter) throws InterruptedException {
        catalog.store(storeId);
        try {
            Written written = shelves.count(storeId, counter);
            return written.accepted()
                    ? new CountResult.Counted(written.units(), fence(written))
                    : new CountResult.Lost(true, List.of("A newer count has started meanwhile."));
        } catch (ReservationBusyException e) {
            return busy(storeId);
        } catch (ReservationExpiredException e) {
            return new CountResult.Lost(false,
                    List.of("The lock ended before the count did, or an operator released it."));
        }
    }

    private CountResult busy(long storeId) {
        return new CountResult.Busy(
                locks.findReservation(Long.toString(storeId)).map(this::running).orElse(null));
    }

    private static @Nullable Long fence(Written written) {
        return written.fence() == 0 ? null : written.fence();
    }

    /** Shows a lost lock: a count that is too slow for its lease, and another one that gets the lock meanwhile. */
    CountResult countSlowly(long storeId, String counter) throws InterruptedException {
        catalog.store(storeId);
        List<String> story = new ArrayList<>();
        List<Written> late = new ArrayList<>();
        try {
            shelves.countSlowly(storeId, counter, fence -> letTheRivalTakeOver(storeId, counter, fence, story),
                    late::add);
            return new CountResult.Lost(false, story); // The lease was longer than the pause.
        } catch (ReservationBusyException e) {
            return busy(storeId);
        } catch (ReservationExpiredException e) {
            boolean refused = !late.getFirst().accepted();
            story.add(refused
                    ? counter + " comes back and writes with the old token: the row has seen a newer one and refuses."
                    : counter + " comes back and writes. Without fencing tokens nothing stops the late write.");
            story.add("The call of the @Reserved method throws ReservationExpiredException.");
            return new CountResult.Lost(refused, story);
        }
    }

    private void letTheRivalTakeOver(long storeId, String counter, long fence, List<String> story)
            throws InterruptedException {
        story.add(counter + " starts to count" + token(fence) + ", and takes too long.");
        FutureTask<Written> rival = new FutureTask<>(() -> shelves.takeOver(storeId, RIVAL));
        Thread.ofVirtual().name("rival").start(rival);
        try {
            Written written = rival.get();
            story.add("The lease ends. " + RIVAL + " gets the lock" + token(written.fence()) + ", counts "
                    + written.units() + " units, and writes.");
        } catch (ExecutionException e) {
            throw new IllegalStateException("The second count failed", e.getCause());
        }
    }

    private static String token(long fence) {
        return fence == 0 ? "" : " with token " + fence;
    }

    /** Returns the counts that are under way, in any instance, by store. */
    private Map<Long, Running> running() {
        return locks.listReservations().stream()
                .collect(Collectors.toMap(held -> Long.valueOf(held.identifier()), this::running));
    }

    private Running running(ReservationInfo held) {
        return new Running(
                book.counter(Long.parseLong(held.identifier())).orElse("Somebody"),
                Math.max(0, Duration.between(held.since(), clock.now()).toSeconds()),
                Texts.secondsLeft(held.remaining()),
                held.fencingToken().isPresent() ? held.fencingToken().getAsLong() : null);
    }

    List<CountView> list() {
        Map<Long, Running> running = running();
        return catalog.stores().stream()
                .map(store -> new CountView(
                        store, running.get(store.id()), book.last(store.id()).orElse(null)))
                .toList();
    }
}
