// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Leases in a table of PostgreSQL, which calls a node when it is its turn. */
public final class NotifyingJdbcLeases extends JdbcLeases implements SignallingStore {

    private final DataSource notifications;

    /** The keys that this node waits for, by their digests. */
    private final Map<String, String> awaited = new ConcurrentHashMap<>();

    private volatile PostgreSqlListener.@Nullable Hearing hearing;

    public NotifyingJdbcLeases(JdbcSettings settings, DataSource notifications) {
        super(settings, true);
        this.notifications = notifications;
    }

    /** Notes what is awaited before the store can know: a call may come before the answer. */
    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        if (!request.waits()) {
            return super.acquire(request);
        }
        String key = request.lease().key();
        String digest = KeyDigest.of(key);
        boolean wasInLine = awaited.put(digest, key) != null;
        boolean inLine = false;
        try {
            Acquisition answer = acquire(request, wasInLine);
            inLine = answer instanceof Acquisition.Refused refused && refused.marked();
            return answer;
        } finally {
            if (!inLine) {
                awaited.remove(digest);
            }
        }
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        boolean stillAwaited = false;
        try {
            Optional<Acquisition.Granted> granted = super.pass(lease, next, mayStay);
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
        super.withdraw(key, node);
    }

    @Override
    public boolean tellsOfLosses() {
        return false;
    }

    @Override
    public boolean canSignal() {
        PostgreSqlListener.Hearing current = hearing;
        return current != null && current.isGood();
    }

    @Override
    public Subscription subscribe(Listener listener) {
        PostgreSqlListener.Hearing started =
                PostgreSqlListener.subscribe(notifications, new PostgreSqlListener.Listener() {
                    @Override
                    public String node() {
                        return listener.node();
                    }

                    @Override
                    public void called(String digest) {
                        String key = awaited.get(digest);
                        if (key != null) {
                            listener.free(key);
                        }
                    }

                    @Override
                    public void missed() {
                        awaited.values().forEach(listener::free);
                    }
                });
        hearing = started;
        return started;
    }
}
