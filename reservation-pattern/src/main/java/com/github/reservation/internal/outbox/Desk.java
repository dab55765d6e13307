// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.ReservationException;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxStore.Wanted;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What operators ask of an outbox: what waits, and to retry, discard or forget it. */
final class Desk {

    private final OutboxPlan plan;
    private final Retries retries;
    private final Runnable lookSoon;

    /** Makes a desk that has couriers look when something may be due. */
    Desk(OutboxPlan plan, Retries retries, Runnable lookSoon) {
        this.plan = plan;
        this.retries = retries;
        this.lookSoon = lookSoon;
    }

    OutboxBacklog backlog() {
        List<RegisteredListener> all = listeners();
        return new OutboxBacklog(
                all.stream().mapToLong(RegisteredListener::pending).sum(),
                all.stream().mapToLong(RegisteredListener::parked).sum(),
                all.stream().flatMap(listener -> listener.oldest().stream()).max(Comparator.naturalOrder()));
    }

    List<RegisteredListener> listeners() {
        return ask(plan.store()::listeners);
    }

    List<OutboxEntry> list(OutboxQuery query) {
        Objects.requireNonNull(query, "query must not be null");
        return ask(() -> plan.store().list(query, plan.pageBytes()));
    }

    boolean retry(long id) {
        boolean retried = ask(() -> plan.store().retry(List.of(id), Optional.empty())) > 0;
        lookSoon.run();
        return retried;
    }

    long retryAll(OutboxQuery query) {
        return changeAll(query, true, plan.store()::retry);
    }

    boolean discard(long id) {
        boolean discarded = ask(() -> plan.store().discard(List.of(id), Optional.empty())) > 0;
        lookSoon.run();
        return discarded;
    }

    long discardAll(OutboxQuery query) {
        return changeAll(query, false, plan.store()::discard);
    }

    /** Changes many deliveries. */
    @FunctionalInterface
    private interface Change {
        int of(List<Long> ids, Optional<String> listener) throws StoreException;
    }

    /** Changes none that is appended meanwhile: a listener that was forgotten may be registered again, for new events. */
    private long changeAll(OutboxQuery query, boolean failed, Change change) {
        Objects.requireNonNull(query, "query must not be null");
        long last = ask(plan.store()::lastId);
        long changed = 0;
        List<Long> ids = idsOf(query, failed, last);
        while (!ids.isEmpty()) {
            List<Long> some = ids;
            changed += ask(() -> change.of(some, query.listener()));
            ids = idsOf(query.after(ids.getLast()), failed, last);
        }
        lookSoon.run();
        return changed;
    }

    private List<Long> idsOf(OutboxQuery query, boolean failed, long last) {
        return ask(() -> plan.store().ids(query, failed)).stream().filter(id -> id <= last).toList();
    }

    boolean forget(String listenerId) {
        return forget(OutboxQuery.all().ofListener(listenerId));
    }

    boolean forget(String listenerId, String type) {
        return forget(OutboxQuery.all().ofListener(listenerId).ofType(type));
    }

    private boolean forget(OutboxQuery forgotten) {
        boolean known = ask(() -> plan.store().unregister(idOf(forgotten), forgotten.type(), Optional.empty()));
        return removeWhatWaits(forgotten) > 0 || known;
    }

    private long removeWhatWaits(OutboxQuery forgotten) {
        long removed = discardAll(forgotten);
        ask(() -> {
            plan.store().removeLanes(idOf(forgotten));
            return true;
        });
        return removed;
    }

    private static String idOf(OutboxQuery ofListener) {
        return ofListener.listener().orElseThrow();
    }

    /** Forgets what is absent, unless an instance has registered it just now. */
    boolean dropAbsent(Wanted absent) {
        OutboxQuery forgotten = OutboxQuery.all().ofListener(absent.listener()).ofType(absent.type());
        boolean dropped = ask(() -> plan.store().unregister(
                absent.listener(), forgotten.type(), Optional.of(plan.absence().after())));
        if (dropped) {
            removeWhatWaits(forgotten);
        }
        return dropped;
    }

    private <T> T ask(Retries.Call<T> call) {
        try {
            return retries.repeated(call);
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    static ReservationException failed(StoreException e) {
        return new ReservationException("The store of the outbox failed: " + e.getMessage(), e);
    }
}
