// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a table of PostgreSQL, which notifies a waiting node when it is its turn. The payload of a notification is the name
 * of the node and the {@link KeyDigest}: everyone who may connect to the database can read notifications, but must not read keys.
 *
 * <p>In the queues the name of a node begins with the address of its listener. So a statement that only sees the queue can notify
 * that listener and no other.
 */
public final class NotifyingJdbcLeaseStore extends JdbcLeaseStore implements SignallingStore {

    private final DataSource notifications;

    /** The keys that this node waits for, by their digests. */
    private final Map<String, String> awaited = new ConcurrentHashMap<>();

    private volatile PostgreSqlListener.@Nullable Subscription subscription;

    public NotifyingJdbcLeaseStore(JdbcSettings settings, DataSource notifications) {
        super(settings, true);
        this.notifications = notifications;
    }

    /** Remembers the awaited key before the statement is sent: the notification can come before the answer. */
    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        AcquireRequest addressed = request.withNode(addressed(request.node()));
        if (!request.waits()) {
            return super.acquire(addressed);
        }
        String key = request.lease().key();
        String digest = KeyDigest.of(key);
        boolean wasInQueue = awaited.put(digest, key) != null;
        boolean inQueue = false;
        try {
            Acquisition acquisition = acquire(addressed, wasInQueue);
            inQueue = acquisition instanceof Acquisition.Refused refused && refused.queued();
            return acquisition;
        } finally {
            if (!inQueue) {
                awaited.remove(digest);
            }
        }
    }

    /** Remembers the awaited key, because the node joins its queue. */
    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        awaited.put(KeyDigest.of(lease.key()), lease.key());
        return super.releaseAndQueue(lease, addressed(node), mayStay);
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        boolean stillAwaited = false;
        try {
            Optional<Acquisition.Granted> granted = super.pass(lease, next.withNode(addressed(next.node())), mayStay);
            stillAwaited = granted.isEmpty();
            return granted;
        } finally {
            if (!stillAwaited) {
                awaited.remove(KeyDigest.of(lease.key()));
            }
        }
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        awaited.remove(KeyDigest.of(key));
        super.withdraw(key, addressed(node));
    }

    /** Returns the name of the node in the queues. */
    private String addressed(String node) {
        PostgreSqlListener.Subscription current = subscription;
        return current == null ? node : current.address() + node.substring(PostgreSqlListener.ADDRESS_LENGTH);
    }

    @Override
    public boolean tellsOfLosses() {
        return false;
    }

    @Override
    public boolean canSignal() {
        PostgreSqlListener.Subscription current = subscription;
        return current != null && current.isListening();
    }

    @Override
    public Registration subscribe(Listener listener) {
        PostgreSqlListener.Subscription started =
                PostgreSqlListener.subscribe(notifications, new PostgreSqlListener.Subscriber() {
                    @Override
                    public void notified(String payload) {
                        if (payload.length() > WaitersColumn.NODE_LENGTH
                                && payload.startsWith(addressed(listener.node()))) {
                            String key = awaited.get(payload.substring(WaitersColumn.NODE_LENGTH));
                            if (key != null) {
                                listener.free(key);
                            }
                        }
                    }

                    @Override
                    public void missed() {
                        awaited.values().forEach(listener::free);
                    }
                });
        subscription = started;
        return started::close;
    }
}
