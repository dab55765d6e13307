// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Listens for notifications of PostgreSQL, see {@link Dialect#notifyIf}. All subscribers with the same data source share one
 * connection and one thread. Both exist as long as there is a subscriber. When the connection breaks, the listener opens
 * another one; until then it receives nothing.
 */
public final class PostgreSqlListener {

    /** The length of the address of a listener. */
    public static final int ADDRESS_LENGTH = 8;

    /** The channel of all listeners. */
    private static final String CHANNEL = "reservation_lock";

    private static final Duration QUIET = Duration.ofSeconds(10);

    /** A quiet connection is tested after {@code QUIET}; a test that takes longer than the rest of this time counts as failed. */
    private static final Duration LONGEST_SILENCE = QUIET.plusSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_END = Duration.ofSeconds(1);

    private static final ReentrantLock SHARING = new ReentrantLock();
    private static final IdentityHashMap<DataSource, PostgreSqlListener> SHARED = new IdentityHashMap<>();

    /** Receives the notifications, on the thread that listens. */
    public interface Subscriber {

        /** A notification has arrived. */
        void notified(String payload);

        /** Notifications may have been missed: the connection listens only from now on. */
        void missed();
    }

    private final DataSource dataSource;

    /**
     * The listener has a channel of its own, so that PostgreSQL sends other listeners nothing that is meant for this one. Two listeners with the
     * same address, such as those of clones of a process, receive more than they need.
     */
    private final String address = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Connection connection;
    private volatile boolean listening;
    private volatile long lastAnswer;
    private volatile boolean closed;

    /** Since when the connection has listened; null if it has not. Only the thread uses it. */
    private @Nullable Long listensSince;

    private PostgreSqlListener(DataSource dataSource) {
        this.dataSource = dataSource;
        this.thread = Threads.platform("reservation-notifications", this::run);
    }

    /** Returns the channel of all listeners, as an expression. */
    public static String everyListener() {
        return "'" + CHANNEL + "'";
    }

    /** Returns the channel of one listener, as an expression, for an expression of its address. */
    public static String listenerAt(String address) {
        return "'" + CHANNEL + "_' || " + address;
    }

    /** Sends notifications to the subscriber until the subscription is closed. Does not wait for the database. */
    public static Subscription subscribe(DataSource dataSource, Subscriber subscriber) {
        SHARING.lock();
        try {
            PostgreSqlListener listener = SHARED.computeIfAbsent(dataSource, PostgreSqlListener::new);
            if (listener.thread.getState() == Thread.State.NEW) {
                boolean started = false;
                try {
                    listener.thread.start();
                    started = true;
                } finally {
                    if (!started) {
                        SHARED.remove(dataSource);
                    }
                }
            }
            listener.subscribers.add(subscriber);
            return listener.new Subscription(subscriber);
        } finally {
            SHARING.unlock();
        }
    }

    /** Ends when it is closed. */
    public final class Subscription implements AutoCloseable {

        private final Subscriber subscriber;

        private Subscription(Subscriber subscriber) {
            this.subscriber = subscriber;
        }

        /** Returns the address of the listener: 8 hex digits. */
        public String address() {
            return address;
        }

        /** Returns whether the connection listens and is known to work: it has answered since it was due to be tested. */
        public boolean isListening() {
            return listening && System.nanoTime() - lastAnswer < LONGEST_SILENCE.toNanos();
        }

        @Override
        public void close() {
            unsubscribe(subscriber);
        }
    }

    private void unsubscribe(Subscriber subscriber) {
        boolean last = false;
        SHARING.lock();
        try {
            subscribers.remove(subscriber);
            if (subscribers.isEmpty() && SHARED.remove(dataSource, this)) {
                last = true;
                closed = true;
                LockSupport.unpark(thread);
                abort(connection);
            }
        } finally {
            SHARING.unlock();
        }
        if (last) {
            awaitEnd();
        }
    }

    /**
     * Waits until the thread has given its connection back, at most a second if the database does not answer. The caller may close the
     * pool next: if a broken connection comes back while HikariCP closes, HikariCP waits for ten seconds.
     */
    private void awaitEnd() {
        boolean interrupted = Thread.interrupted();
        try {
            if (!ended.await(LONGEST_END.toNanos(), TimeUnit.NANOSECONDS)) {
                Log.debug("The connection that listens for notifications is given back later", null);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the wait of the thread. A pool must not reuse a connection that listens. */
    private static void abort(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not abort the connection that listens for notifications", e);
            }
        }
    }

    private void run() {
        try {
            listenUntilClosed();
        } finally {
            ended.countDown();
        }
    }

    private void listenUntilClosed() {
        boolean warned = false;
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (!closed) {
            listensSince = null;
            try {
                listen();
            } catch (Throwable e) { // Nothing would start the thread again.
                if (!closed && !warned) {
                    warned = true;
                    Log.warn("Cannot listen for notifications of PostgreSQL; waiting nodes poll until it works again",
                            e);
                }
            }
            Long since = listensSince;
            if (since != null && System.nanoTime() - since > LONGEST_PAUSE.toNanos()) {
                warned = false;
                pauses.reset();
            }
            if (!closed) {
                LockSupport.parkNanos(this, pauses.next());
                Thread.interrupted();
            }
        }
    }

    private void listen() throws SQLException, ReflectiveOperationException {
        try (Connection opened = dataSource.getConnection()) {
            connection = opened;
            try {
                listen(opened);
            } finally {
                listening = false;
                connection = null;
                abort(opened);
            }
        }
    }

    private void listen(Connection opened) throws SQLException, ReflectiveOperationException {
        opened.setAutoCommit(true);
        PostgreSqlNotifications notifications = new PostgreSqlNotifications(opened);
        try (Statement statement = opened.createStatement()) {
            statement.execute("LISTEN " + CHANNEL + "_" + address + ";LISTEN " + CHANNEL);
        }
        long now = System.nanoTime();
        listensSince = now;
        lastAnswer = now;
        listening = true;
        subscribers.forEach(Subscriber::missed);
        while (!closed) {
            String[] payloads = notifications.await(QUIET);
            for (String payload : payloads) {
                subscribers.forEach(subscriber -> subscriber.notified(payload));
            }
            if (payloads.length == 0 && !closed && !opened.isValid((int) QUIET.toSeconds())) {
                throw new SQLException("The connection that listens for notifications is broken");
            }
            lastAnswer = System.nanoTime();
        }
    }
}
