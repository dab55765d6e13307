// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxListener;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An outbox on any store. Each listener has a {@link Courier} of its own. */
public final class StoreOutbox implements Outbox {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final int KEY_ID_DIGITS = 32;
    private static final int HEX = 16;

    private final OutboxPlan plan;
    private final Retries retries;
    private final BacklogSampler sampler;
    private final KnownListeners listeners;

    /** By the id of the listener: those that deliver in the background. */
    private final Map<String, Courier> couriers = new ConcurrentHashMap<>();

    /** Those that deliver on the thread of a caller. */
    private final Set<Courier> callers = ConcurrentHashMap.newKeySet();

    /** Those whose listener was unsubscribed. It may still run. */
    private final Set<Courier> leaving = ConcurrentHashMap.newKeySet();

    private final ReentrantLock state = new ReentrantLock();
    private boolean started;
    private Registration announcements = () -> {};
    private volatile boolean closed;

    public StoreOutbox(OutboxPlan plan) {
        this.plan = plan;
        this.retries = new Retries(plan.ticker(), "the outbox", plan.meters()::storeError);
        this.listeners = new KnownListeners(plan);
        this.sampler = new BacklogSampler(plan);
    }

    @Override
    public void appendAll(Connection connection, List<OutboxMessage> messages) {
        Objects.requireNonNull(connection, "connection must not be null");
        List<NewEvent> events = List.copyOf(messages).stream().map(this::encoded).toList();
        requireTransaction(connection);
        if (events.isEmpty()) {
            return;
        }
        try {
            plan.store().append(connection, events);
        } catch (StoreException e) {
            throw new ReservationException("Roll the transaction back: " + e.getMessage(), e);
        }
    }

    private NewEvent encoded(OutboxMessage message) {
        Object event = message.event();
        String type = EventTypes.nameOf(event.getClass(), plan.codec());
        String payload;
        try {
            payload = plan.codec().encode(event);
        } catch (Exception e) {
            throw new IllegalArgumentException("The codec cannot write an event of type " + type + ": " + e, e);
        }
        if (payload == null || payload.isEmpty()) {
            throw new IllegalArgumentException("The codec must not write an event of type " + type + " as nothing");
        }
        String keyId = KeyDigest.of(message.key()).substring(0, KEY_ID_DIGITS);
        return new NewEvent(laneOf(keyId), keyId, message.key(), type, payload);
    }

    private static int laneOf(String keyId) {
        return Integer.parseInt(keyId.substring(0, 4), HEX) % OutboxStore.LANES;
    }

    private static void requireTransaction(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("connection must not be in autocommit mode:"
                        + " an event and what it is about would not commit together");
            }
        } catch (SQLException e) {
            throw new ReservationException("The connection cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public <E> Registration subscribe(String id, Class<E> type, OutboxListener<? super E> listener) {
        requireId(id);
        Objects.requireNonNull(type, "type must not be null");
        Objects.requireNonNull(listener, "listener must not be null");
        Subscriber<E> subscriber = new Subscriber<>(id, EventTypes.of(type, plan.codec()), listener, plan.codec());
        state.lock();
        try {
            requireOpen();
            if (listeners.subscribers().putIfAbsent(id, subscriber) != null) {
                throw new IllegalArgumentException("id must be of one listener, but \"" + id + "\" is taken");
            }
            if (started) {
                couriers.put(id, start(subscriber));
            }
        } finally {
            state.unlock();
        }
        return () -> unsubscribe(subscriber);
    }

    private Courier start(Subscriber<?> subscriber) {
        return Courier.start(plan, retries, subscriber, listeners);
    }

    private static void requireId(String id) {
        Objects.requireNonNull(id, "id must not be null");
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "id must have 1 to 64 letters, digits or characters _ . -, but is \"" + id + '"');
        }
    }

    private void unsubscribe(Subscriber<?> subscriber) {
        state.lock();
        try {
            if (listeners.subscribers().remove(subscriber.id(), subscriber)) {
                Courier courier = couriers.remove(subscriber.id());
                if (courier != null) {
                    courier.stop();
                    leaving.removeIf(Courier::hasEnded);
                    leaving.add(courier);
                }
            }
        } finally {
            state.unlock();
        }
    }

    @Override
    public Outbox start() {
        state.lock();
        try {
            requireOpen();
            if (!started) {
                started = true;
                sampler.start();
                listeners.subscribers()
                        .forEach((id, subscriber) -> couriers.put(id, start(subscriber)));
                announcements = plan.store().onAppend(this::lookSoon);
            }
        } finally {
            state.unlock();
        }
        return this;
    }

    @Override
    public int deliverNow() {
        requireOpen();
        if (isListener(Thread.currentThread())) {
            throw new IllegalStateException("A listener must not call deliverNow()");
        }
        int delivered = 0;
        for (Subscriber<?> subscriber : List.copyOf(listeners.subscribers().values())) {
            Courier courier = Courier.forCaller(plan, retries, subscriber, listeners);
            callers.add(courier);
            try {
                if (closed) {
                    courier.stop();
                }
                delivered += courier.work();
            } catch (StoreException e) {
                throw failed(e);
            } finally {
                callers.remove(courier);
            }
        }
        return delivered;
    }

    private boolean isListener(Thread thread) {
        return all().anyMatch(courier -> courier.isWorkedBy(thread));
    }

    private Stream<Courier> all() {
        return Stream.of(couriers.values(), callers, leaving).flatMap(Collection::stream);
    }

    @Override
    public OutboxBacklog backlog() {
        return ask(plan.store()::backlog);
    }

    @Override
    public List<OutboxEntry> list(OutboxQuery query) {
        Objects.requireNonNull(query, "query must not be null");
        return ask(() -> plan.store().list(query));
    }

    @Override
    public boolean retry(long id) {
        boolean retried = ask(() -> plan.store().retry(id));
        lookSoon();
        return retried;
    }

    private void lookSoon() {
        couriers.values().forEach(Courier::lookSoon);
    }

    @Override
    public boolean discard(long id) {
        boolean discarded = ask(() -> plan.store().discard(id));
        lookSoon();
        return discarded;
    }

    @Override
    public boolean forget(String listenerId) {
        requireId(listenerId);
        try {
            return listeners.forget(listenerId, retries);
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    private <T> T ask(Retries.Call<T> call) {
        try {
            return retries.repeated(call);
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    private static ReservationException failed(StoreException e) {
        return new ReservationException("The store of the outbox failed: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        state.lock();
        try {
            closed = true;
            all().forEach(Courier::stop);
            sampler.stop();
        } finally {
            state.unlock();
        }
        announcements.close();
        if (!isListener(Thread.currentThread())) {
            try {
                long deadline = plan.ticker().nanos() + plan.leaseTime().toNanos();
                for (Courier courier : all().toList()) {
                    if (!courier.awaitEnd(deadline - plan.ticker().nanos())) {
                        Log.warn("The outbox is closed, but listener " + courier.listener() + " still runs", null);
                    }
                }
                sampler.awaitEnd(deadline - plan.ticker().nanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The outbox is closed");
        }
    }
}
