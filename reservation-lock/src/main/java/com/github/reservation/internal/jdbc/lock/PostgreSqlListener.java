// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.SignallingStore.Subscription;
import com.github.reservation.internal.store.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Hears on one connection which node is called to which key, for all managers that name the same data source. The connection
 * is kept as long as there is such a manager; when it breaks it is made again, and until then nodes poll as they always do.
 */
final class PostgreSqlListener {

    static final String CHANNEL = "reservation_lock";

    /** How many characters the name of a node has; the rest of a message tells the key. */
    private static final int NODE = 16;

    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final ReentrantLock SHARING = new ReentrantLock();
    private static final IdentityHashMap<DataSource, PostgreSqlListener> SHARED = new IdentityHashMap<>();

    /** Receives the calls for one node, on the thread that hears them. */
    interface Listener {

        /** Returns the name under which the node waits. */
        String node();

        /** The node is called to the key that has this {@link KeyDigest}. */
        void called(String digest);

        /** Calls may have been missed. */
        void missed();
    }

    /** What a listener has until it is closed. */
    interface Hearing extends Subscription {

        /** Returns whether calls are heard now, as far as we know. */
        boolean isGood();
    }

    private final DataSource dataSource;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile @Nullable Connection connection;
    private volatile boolean listening;
    private volatile boolean closed;

    /** Since when the connection has been listening; null if it never did. Only the thread knows. */
    private @Nullable Long listensSince;

    private PostgreSqlListener(DataSource dataSource) {
        this.dataSource = dataSource;
        this.thread = Threads.platform("reservation-calls", this::run);
    }

    /** Sends the node's calls to the listener until the subscription is closed. Does not wait for the database. */
    static Hearing subscribe(DataSource dataSource, Listener listener) {
        SHARING.lock();
        try {
            PostgreSqlListener calls = SHARED.computeIfAbsent(dataSource, PostgreSqlListener::new);
            if (calls.thread.getState() == Thread.State.NEW) {
                boolean started = false;
                try {
                    calls.thread.start();
                    started = true;
                } finally {
                    if (!started) {
                        SHARED.remove(dataSource);
                    }
                }
            }
            calls.listeners.add(listener);
            return calls.new NodesHearing(listener);
        } finally {
            SHARING.unlock();
        }
    }

    private final class NodesHearing implements Hearing {

        private final Listener listener;

        NodesHearing(Listener listener) {
            this.listener = listener;
        }

        @Override
        public boolean isGood() {
            return listening;
        }

        @Override
        public void close() {
            unsubscribe(listener);
        }
    }

    private void unsubscribe(Listener listener) {
        SHARING.lock();
        try {
            listeners.remove(listener);
            if (listeners.isEmpty() && SHARED.remove(dataSource, this)) {
                closed = true;
                LockSupport.unpark(thread);
                abort(connection);
            }
        } finally {
            SHARING.unlock();
        }
    }

    /** Ends what the thread waits for; the connection is of no use to anybody else. */
    private static void abort(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not abort the connection that hears calls", e);
            }
        }
    }

    private void run() {
        boolean told = false;
        long pause = FIRST_PAUSE.toNanos();
        while (!closed) {
            listensSince = null;
            try {
                listen();
            } catch (Throwable e) { // Nobody would start the thread again.
                if (!closed && !told) {
                    told = true;
                    Log.warn("PostgreSQL cannot call nodes that wait; they poll until it can", e);
                }
            }
            Long since = listensSince;
            if (since != null && System.nanoTime() - since > LONGEST_PAUSE.toNanos()) {
                told = false;
                pause = FIRST_PAUSE.toNanos();
            }
            if (!closed) {
                LockSupport.parkNanos(this, pause);
                Thread.interrupted();
                pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
            }
        }
    }

    private void listen() throws SQLException, ReflectiveOperationException {
        try (Connection taken = dataSource.getConnection()) {
            connection = taken;
            try {
                listen(taken);
            } finally {
                listening = false;
                connection = null;
                abort(taken); // It listens: not what the pool expects to get back.
            }
        }
    }

    private void listen(Connection taken) throws SQLException, ReflectiveOperationException {
        taken.setAutoCommit(true);
        PostgreSqlNotifications notifications = new PostgreSqlNotifications(taken);
        try (Statement statement = taken.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
        }
        listensSince = System.nanoTime();
        listening = true;
        listeners.forEach(Listener::missed);
        while (!closed) {
            String[] messages = notifications.await(QUIET);
            for (String message : messages) {
                hear(message);
            }
            if (messages.length == 0 && !closed && !taken.isValid((int) QUIET.toSeconds())) {
                throw new SQLException("The connection that hears calls is broken");
            }
        }
    }

    private void hear(String message) {
        for (Listener listener : listeners) {
            if (message.length() > NODE && message.startsWith(listener.node())) {
                listener.called(message.substring(NODE));
            }
        }
    }
}
