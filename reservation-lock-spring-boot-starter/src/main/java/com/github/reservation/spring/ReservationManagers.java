// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationManager;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The manager of each domain. A manager is made at the first request for its domain and closed with the application context, after
 * the web server and all executors have stopped and before the data source is closed. Thread-safe; no method calls the store.
 *
 * {@snippet file="com/github/reservation/spring/demo/Orders.java" region="managers"}
 *
 * <p>To make managers in your own way, define a bean of this type.
 */
public final class ReservationManagers implements AutoCloseable {

    private final Function<String, ReservationManager> factory;
    private final Map<String, ReservationManager> managers = new ConcurrentHashMap<>();
    private final Lock making = new ReentrantLock();
    private boolean closed;

    /**
     * Creates a set of managers without any manager.
     *
     * @param factory makes the manager of a domain; called once for each domain
     */
    public ReservationManagers(Function<String, ReservationManager> factory) {
        this.factory = Objects.requireNonNull(factory, "factory must not be null");
    }

    /**
     * Returns the manager of the domain. Do not close it.
     *
     * @throws IllegalArgumentException if the domain breaks the rules for keys
     * @throws IllegalStateException if the domain has no manager yet and the application context is closed
     */
    public ReservationManager get(String domain) {
        Objects.requireNonNull(domain, "domain must not be null");
        ReservationManager manager = managers.get(domain);
        return manager != null ? manager : make(domain);
    }

    private ReservationManager make(String domain) {
        making.lock();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "There is no manager for domain \"" + domain + "\": the application context is closed");
            }
            return managers.computeIfAbsent(domain, factory);
        } finally {
            making.unlock();
        }
    }

    /** Returns the manager of the domain, if it was made before. */
    public Optional<ReservationManager> find(String domain) {
        return Optional.ofNullable(managers.get(domain));
    }

    /** Returns the domains whose managers were made, in alphabetical order. A snapshot. */
    public SortedSet<String> domains() {
        return new TreeSet<>(managers.keySet());
    }

    /**
     * Closes all managers. The application context calls this method. If some of them throw, it throws the first exception after it has
     * closed the others.
     */
    @Override
    public void close() {
        making.lock();
        try {
            closed = true;
        } finally {
            making.unlock();
        }
        RuntimeException failure = null;
        for (ReservationManager manager : managers.values()) {
            try {
                manager.close();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
