// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The leases in a lock table: {@link JdbcLeases} if it has all columns, {@link FourColumnLeases} if it has the first four alone. The
 * first use finds out, and the answer stays: a table that gets its other columns later is used without them until a restart.
 */
public final class LockTable implements PurgingStore, QueueingStore {

    private final TableName name;
    private final TableSessions<LockStatements> sessions;
    private final JdbcLeases all;
    private final FourColumnLeases four;
    private final AtomicReference<@Nullable LeaseStore> found = new AtomicReference<>();

    /** What the check at the first use has found. */
    private volatile boolean hasFourColumns;

    public LockTable(JdbcSettings settings) {
        this.name = settings.table().name();
        this.sessions = JdbcLeases.sessions(settings, false, check -> hasFourColumns = check.findsFourColumns());
        this.all = new JdbcLeases(settings, sessions);
        this.four = new FourColumnLeases(sessions);
    }

    /** Returns the leases as the table keeps them. The first call checks the table, on a connection of its own. */
    private LeaseStore leases() throws StoreException {
        LeaseStore known = found.get();
        return known != null ? known : sessions.use((session, statements) -> {
            LeaseStore fit = hasFourColumns ? four : all;
            if (found.compareAndSet(null, fit) && fit == four) {
                warn(session.dialect());
            }
            return fit;
        });
    }

    private void warn(Dialect dialect) {
        Log.warn("Table " + name
                + " has no columns fence, waiters and reserved_until: its locks have no fencing tokens, and nodes"
                + " take no turns. The command " + dialect.printCommand()
                + "-migration prints the ALTER TABLE that adds them;"
                + " an application uses them after its next start", null);
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return leases().acquire(request);
    }

    @Override
    public int mostLeasesInACall() {
        LeaseStore known = found.get();
        return (known == null ? all : known).mostLeasesInACall();
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return leases().renew(leases, lease);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return leases().release(leases);
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return leases().forceRelease(key);
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return leases().find(key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return leases().list(keyPrefix);
    }

    @Override
    public boolean hasQueue() {
        return found.get() != four;
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return leases() == four
                ? four.release(List.of(lease)).contains(lease)
                : all.releaseAndQueue(lease, node, mayStay);
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        return leases() == four ? Optional.empty() : all.pass(lease, next, mayStay);
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        if (leases() != four) {
            all.withdraw(key, node);
        }
    }

    @Override
    public Object purgeScope() {
        return all.purgeScope();
    }

    @Override
    public boolean purge() throws StoreException {
        return all.purge();
    }

    /**
     * Deletes the rows of keys that are free and were last acquired before this time.
     *
     * @return how many, at most {@code limit}
     */
    public int purge(Duration idle, int limit) throws StoreException {
        return all.purge(idle, limit);
    }
}
