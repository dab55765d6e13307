// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Purger;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.OutboxStore.Wanted;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxListener;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.OutboxStart;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An outbox on any store. Each listener has a {@link Courier} of its own. */
public final class StoreOutbox implements Outbox {

    private final OutboxPlan plan;
    private final Retries retries;
    private final BacklogSampler sampler;
    private final Desk desk;
    private final AbsentListeners absent;

    /** The listeners of this instance, by their ids. */
    private final Map<String, Subscriber<?>> subscribers = new ConcurrentHashMap<>();

    /** The types of which a warning has told that nobody listens to them. */
    private final Set<String> unwanted = ConcurrentHashMap.newKeySet();

    /** Those that deliver in the background or on the thread of a caller: also those of listeners that were unsubscribed, and still run. */
    private final Set<Courier> couriers = ConcurrentHashMap.newKeySet();

    private final ReentrantLock state = new ReentrantLock();
    private boolean started;
    private Registration announcements = () -> {};

    /** Ends the purge; null before it begins. */
    private @Nullable Runnable purge;

    private volatile boolean closed;

    public StoreOutbox(OutboxPlan plan) {
        this.plan = plan;
        this.retries = new Retries(plan.ticker(), "the outbox", plan.meters()::storeError);
        this.sampler = new BacklogSampler(plan);
        this.desk = new Desk(plan, retries, this::lookSoon);
        this.absent = new AbsentListeners(plan, this::has, desk::dropAbsent);
    }

    private boolean has(Wanted wanted) {
        Subscriber<?> subscriber = subscribers.get(wanted.listener());
        return subscriber != null && subscriber.wants(wanted.type());
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
            Set<String> unwantedTypes = plan.store().append(connection, events);
            events.stream().map(NewEvent::type).filter(unwantedTypes::contains).forEach(this::warnOfUnwanted);
        } catch (StoreException e) {
            throw new ReservationException("Roll the transaction back: " + e.getMessage(), e);
        }
    }

    private void warnOfUnwanted(String type) {
        plan.meters().unwanted(type);
        if (unwanted.add(type)) {
            Log.warn("An event of type " + type
                    + " was appended to the outbox, but not written: no listener is registered for"
                    + " its type. More of them are only counted", null);
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
        List<String> listeners =
                subscribers.values().stream().filter(one -> one.wants(type)).map(Subscriber::id).toList();
        return NewEvent.of(message.key(), type, payload, bytesOf(type, payload), listeners);
    }

    private int bytesOf(String type, String payload) {
        int bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > plan.largestEvent()) {
            throw new IllegalArgumentException("An event must have at most " + plan.largestEvent()
                    + " bytes (largestEvent), but one of type " + type + " has " + bytes);
        }
        return bytes;
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
    public <E> Registration subscribe(
            String id,
            Collection<? extends Class<? extends E>> types,
            OutboxStart start,
            OutboxListener<? super E> listener) {
        EventTypes.requireId(id);
        Objects.requireNonNull(start, "start must not be null");
        Objects.requireNonNull(listener, "listener must not be null");
        Subscriber<E> subscriber =
                new Subscriber<>(id, EventTypes.of(types, plan.codec()), start, listener, plan.codec());
        state.lock();
        try {
            requireOpen();
            if (subscribers.putIfAbsent(id, subscriber) != null) {
                throw new IllegalArgumentException("id must be of one listener, but \"" + id + "\" is taken");
            }
            if (started) {
                start(subscriber);
            }
        } finally {
            state.unlock();
        }
        return () -> unsubscribe(subscriber);
    }

    /** Its listener may call this outbox at once: by then the courier must be known. */
    private void start(Subscriber<?> subscriber) {
        couriers.removeIf(Courier::hasEnded);
        Courier courier = Courier.inBackground(plan, retries, subscriber, absent);
        couriers.add(courier);
        courier.start();
    }

    private void unsubscribe(Subscriber<?> subscriber) {
        state.lock();
        try {
            subscribers.remove(subscriber.id(), subscriber);
            couriers.stream().filter(courier -> courier.subscriber().equals(subscriber)).forEach(Courier::stop);
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
                subscribers.values().forEach(this::start);
                announcements = plan.store().onAppend(this::lookSoon);
                startPurge();
            }
        } finally {
            state.unlock();
        }
        return this;
    }

    private void startPurge() {
        if (purge == null && plan.store() instanceof PurgingStore store) {
            purge = Purger.add(store, plan.ticker());
        }
    }

    @Override
    public int deliverNow() {
        if (isListener(Thread.currentThread())) {
            throw new IllegalStateException("A listener must not call deliverNow()");
        }
        state.lock();
        try {
            requireOpen();
            startPurge();
        } finally {
            state.unlock();
        }
        int delivered = 0;
        for (Subscriber<?> subscriber : List.copyOf(subscribers.values())) {
            Courier courier = Courier.forCaller(plan, retries, subscriber, absent);
            couriers.add(courier);
            try {
                if (closed) {
                    courier.stop();
                }
                delivered += courier.work();
            } catch (StoreException e) {
                throw Desk.failed(e);
            } finally {
                couriers.remove(courier);
            }
        }
        return delivered;
    }

    private boolean isListener(Thread thread) {
        return couriers.stream().anyMatch(courier -> courier.isWorkedBy(thread));
    }

    private void lookSoon() {
        couriers.forEach(Courier::lookSoon);
    }

    @Override
    public OutboxBacklog backlog() {
        return desk.backlog();
    }

    @Override
    public List<RegisteredListener> listeners() {
        return desk.listeners();
    }

    @Override
    public List<OutboxEntry> list(OutboxQuery query) {
        return desk.list(query);
    }

    @Override
    public boolean retry(long id) {
        return desk.retry(id);
    }

    @Override
    public long retryAll(OutboxQuery query) {
        return desk.retryAll(query);
    }

    @Override
    public boolean discard(long id) {
        return desk.discard(id);
    }

    @Override
    public long discardAll(OutboxQuery query) {
        return desk.discardAll(query);
    }

    @Override
    public boolean forget(String listenerId) {
        return desk.forget(listenerId);
    }

    @Override
    public boolean forget(String listenerId, String type) {
        return desk.forget(listenerId, type);
    }

    @Override
    public void close() {
        state.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            couriers.forEach(Courier::stop);
            sampler.stop();
        } finally {
            state.unlock();
        }
        announcements.close();
        if (purge != null) {
            purge.run();
        }
        if (!isListener(Thread.currentThread())) {
            try {
                long deadline = plan.ticker().nanos() + plan.leaseTime().toNanos();
                for (Courier courier : couriers) {
                    if (!courier.awaitEnd(deadline - plan.ticker().nanos())) {
                        Log.warn("The outbox is closed, but listener " + courier.listener() + " still runs", null);
                    }
                }
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
