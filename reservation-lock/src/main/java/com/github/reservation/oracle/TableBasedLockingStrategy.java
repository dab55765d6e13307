// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Stores locks in a table of an Oracle database, with one row for each key. This is the default strategy. A manager uses it with
 * fencing tokens; it also works without a manager. It detects the database from the driver, so that tests can use H2. A table that
 * has no columns but {@code reservation_key}, {@code holder}, {@code acquired_at} and {@code expires_at} works too: a manager then
 * has neither fencing tokens nor turns between nodes, and logs a warning at the first use.
 *
 * <p>Each call takes a connection from the data source and returns it at the end. A call blocks for as long as the pool and the
 * database take, at most 5 seconds for each statement. The database's clock decides. This class is thread-safe. It does not retry:
 * a {@link LockingException} may be the result of a mere deadlock.
 */
public class TableBasedLockingStrategy implements LockingStrategy {

    /** How often managers that wait for the same locks poll: the default of their builder. */
    private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(2);

    private final SqlTable table;
    private final JdbcLeaseStore leases;

    /**
     * Creates a strategy on the given table without a call to the database.
     *
     * @param tableName a plain identifier, or two of them separated by a dot
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the table name is not of that form
     */
    public TableBasedLockingStrategy(DataSource dataSource, String tableName) {
        Objects.requireNonNull(dataSource, "dataSource must not be null");
        this.table = SqlTable.of(
                dataSource, null, new TableName(tableName), JdbcSettings.DEFAULT_QUERY_TIMEOUT, "");
        this.leases = new JdbcLeaseStore(settings(MAX_POLL_INTERVAL));
    }

    /** Returns the settings of these locks for managers that poll at this interval. */
    final JdbcSettings settings(Duration maxPollInterval) {
        return new JdbcSettings(
                table,
                true,
                JdbcSettings.graceFor(maxPollInterval),
                Optional.of(JdbcSettings.DEFAULT_PURGE_AFTER));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long, not Unicode or contains NUL, or the lease time not positive
     */
    @Override
    public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        requirePositive(leaseTime);
        LeaseId lease = lease(reservationKey, holder);
        return call("acquire lock", reservationKey, () -> leases
                .acquire(AcquireRequest.once(lease, leaseTime, AcquireRequest.NO_NODE)) instanceof Acquisition.Granted);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long, not Unicode or contains NUL
     */
    @Override
    public boolean release(String reservationKey, String holder) throws LockingException {
        LeaseId lease = lease(reservationKey, holder);
        return call("release lock", reservationKey, () -> leases.release(List.of(lease)).contains(lease));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key is empty, too long, not Unicode or contains NUL
     */
    @Override
    public void forceRelease(String reservationKey) throws LockingException {
        requireKey(reservationKey);
        Optional<LeaseId> unused =
                call("force release lock", reservationKey, () -> leases.forceRelease(reservationKey));
    }

    @Override
    public boolean isLocked(String reservationKey) throws LockingException {
        return getLockInfo(reservationKey).isPresent();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key is empty, too long, not Unicode or contains NUL
     */
    @Override
    public Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException {
        requireKey(reservationKey);
        return call("get lock info", reservationKey, () -> leases.find(reservationKey))
                .map(TableBasedLockingStrategy::info);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long, not Unicode or contains NUL, or the lease time not positive
     */
    @Override
    public boolean renew(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        requirePositive(leaseTime);
        LeaseId lease = lease(reservationKey, holder);
        return call("renew lock", reservationKey,
                () -> leases.renew(List.of(lease), leaseTime).hasRenewed(lease));
    }

    @Override
    public Map<String, LockInfo> listLocks(String keyPrefix) throws LockingException {
        Objects.requireNonNull(keyPrefix, "keyPrefix must not be null");
        Map<String, LockInfo> locks = new HashMap<>();
        call("list locks", keyPrefix, () -> leases.list(keyPrefix))
                .forEach(lease -> locks.put(lease.id().key(), info(lease)));
        return locks;
    }

    /**
     * Deletes rows of free keys. Keys that were acquired in the last hour stay, so that no fencing token can decrease. A manager
     * purges keys that were not acquired for a day. Call this method if you use no manager, or many keys that are used once.
     *
     * @param limit the maximum number of rows to delete
     * @return the number of deleted rows; if it equals the limit, more rows may be left
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public int deleteExpired(int limit) throws LockingException {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        return call("delete expired locks", "at most " + limit,
                () -> leases.purge(JdbcSettings.SHORTEST_PURGE_AFTER, limit));
    }

    private static LockInfo info(StoredLease lease) {
        return new LockInfo(lease.id().holder(), lease.acquiredAt(), Instant.now().plus(lease.remaining()));
    }

    private static LeaseId lease(String reservationKey, String holder) {
        return new LeaseId(requireKey(reservationKey), ReservationKeyBuilder.requireValidHolder("holder", holder));
    }

    private static String requireKey(String reservationKey) {
        return ReservationKeyBuilder.requireStorable(
                "reservationKey", reservationKey, ReservationKeyBuilder.MAX_KEY_BYTES);
    }

    private static void requirePositive(Duration leaseTime) {
        Objects.requireNonNull(leaseTime, "leaseTime must not be null");
        if (!leaseTime.isPositive()) {
            throw new IllegalArgumentException("leaseTime must be positive, but is " + leaseTime);
        }
    }

    /** A call of the store. */
    @FunctionalInterface
    private interface Call<T> {
        T execute() throws StoreException;
    }

    private static <T> T call(String purpose, String subject, Call<T> call) throws LockingException {
        try {
            return call.execute();
        } catch (StoreException e) {
            throw new LockingException("Failed to " + purpose + ": " + subject, e);
        }
    }
}
