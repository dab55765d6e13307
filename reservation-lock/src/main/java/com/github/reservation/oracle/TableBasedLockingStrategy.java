// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.jdbc.lock.JdbcSettings;
import com.github.reservation.internal.jdbc.lock.TableName;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps locks in a table of an Oracle database: a row for each key, updated by one statement for each operation. The default
 * strategy, which a manager uses in full, with fencing tokens; and one that can be used on its own. It asks the driver which
 * database it is, so that tests can give it an H2.
 *
 * <p>Each call takes a connection of its own and gives it back before it returns; it may block as long as the pool and the
 * database take, 5 seconds for a statement at most. It is safe for many threads. The database's clock decides. Nothing is
 * tried again: a {@link LockingException} may mean no more than a deadlock.
 */
public class TableBasedLockingStrategy implements LockingStrategy {

    private static final int LONGEST_KEY = 512;
    private static final int LONGEST_HOLDER = 256;

    /** How long a statement may take. */
    static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

    /** How often those poll whom a release may have to wait for, where no manager says it: its default. */
    private static final Duration POLLING = Duration.ofSeconds(2);

    private static final Duration PURGE_AFTER = Duration.ofDays(1);

    /** A statement that hangs for longer than a key is remembered could make its fencing tokens go back. */
    private static final Duration SHORTEST_MEMORY = Duration.ofHours(1);

    private final JdbcSettings settings;
    private final JdbcLeases leases;

    /**
     * Keeps the locks in that table; nothing is asked of the database yet.
     *
     * @param tableName one plain identifier, or two with a dot between them
     * @throws NullPointerException if either is null
     * @throws IllegalArgumentException if the name is not made of plain identifiers
     */
    public TableBasedLockingStrategy(DataSource dataSource, String tableName) {
        this.settings = new JdbcSettings(
                Objects.requireNonNull(dataSource, "dataSource must not be null"),
                Optional.empty(),
                new TableName(tableName),
                QUERY_TIMEOUT,
                true,
                JdbcSettings.graceFor(POLLING),
                Optional.of(PURGE_AFTER));
        this.leases = new JdbcLeases(settings);
    }

    /** Returns the locks as a core wants them that polls that often, with all that they can do. */
    final JdbcLeases leases(Duration maxPollInterval) {
        return new JdbcLeases(settings.pollingEach(maxPollInterval));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long or not Unicode, or the lease time not positive
     */
    @Override
    public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        requirePositive(leaseTime);
        LeaseId lease = lease(reservationKey, holder);
        return asked("acquire lock", reservationKey, () -> leases
                .acquire(AcquireRequest.once(lease, leaseTime, AcquireRequest.NO_NODE)) instanceof Acquisition.Granted);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long or not Unicode
     */
    @Override
    public boolean release(String reservationKey, String holder) throws LockingException {
        LeaseId lease = lease(reservationKey, holder);
        return asked("release lock", reservationKey, () -> leases.release(List.of(lease)).contains(lease));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key is empty, too long or not Unicode
     */
    @Override
    public void forceRelease(String reservationKey) throws LockingException {
        requireText("reservationKey", reservationKey, LONGEST_KEY);
        boolean unused = asked("force release lock", reservationKey, () -> leases.forceRelease(reservationKey));
    }

    @Override
    public boolean isLocked(String reservationKey) throws LockingException {
        return getLockInfo(reservationKey).isPresent();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key is empty, too long or not Unicode
     */
    @Override
    public Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException {
        requireText("reservationKey", reservationKey, LONGEST_KEY);
        return asked("get lock info", reservationKey, () -> leases.find(reservationKey))
                .map(TableBasedLockingStrategy::info);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the key or the holder is empty, too long or not Unicode, or the lease time not positive
     */
    @Override
    public boolean renew(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        requirePositive(leaseTime);
        LeaseId lease = lease(reservationKey, holder);
        return asked("renew lock", reservationKey, () -> leases.renew(List.of(lease), leaseTime).contains(lease));
    }

    @Override
    public Map<String, LockInfo> listLocks(String keyPrefix) throws LockingException {
        Objects.requireNonNull(keyPrefix, "keyPrefix must not be null");
        Map<String, LockInfo> locks = new HashMap<>();
        asked("list locks", keyPrefix, () -> leases.list(keyPrefix))
                .forEach(lease -> locks.put(lease.id().key(), info(lease)));
        return locks;
    }

    /**
     * Deletes rows of keys that nobody holds. Those that were acquired in the last hour stay, so that no fencing token can
     * go back. A manager does it by itself for what has not been acquired for a day; call it if you have none, or many keys
     * that are used once.
     *
     * @param limit how many rows at most
     * @return how many were deleted; as many as the limit if there may be more
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public int deleteExpired(int limit) throws LockingException {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        return asked("delete expired locks", "at most " + limit, () -> leases.purge(SHORTEST_MEMORY, limit));
    }

    private static LockInfo info(StoredLease lease) {
        return new LockInfo(lease.id().holder(), lease.acquiredAt(), Instant.now().plus(lease.remaining()));
    }

    private static LeaseId lease(String reservationKey, String holder) {
        return new LeaseId(
                requireText("reservationKey", reservationKey, LONGEST_KEY),
                requireText("holder", holder, LONGEST_HOLDER));
    }

    /**
     * An empty text is null for Oracle, a longer one does not fit into the column, and half a character becomes a question
     * mark, whichever it was.
     */
    private static String requireText(String name, String text, int longest) {
        Objects.requireNonNull(text, name + " must not be null");
        if (text.isEmpty()) {
            throw new IllegalArgumentException(name + " must not be empty");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(name + " must not contain half of a surrogate pair");
        }
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > longest) {
            throw new IllegalArgumentException(
                    name + " must have at most " + longest + " bytes in UTF-8, but has " + length + ": " + text);
        }
        return text;
    }

    private static void requirePositive(Duration leaseTime) {
        Objects.requireNonNull(leaseTime, "leaseTime must not be null");
        if (!leaseTime.isPositive()) {
            throw new IllegalArgumentException("leaseTime must be positive, but is " + leaseTime);
        }
    }

    /** A question to the table. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws StoreException;
    }

    private static <T> T asked(String what, String about, Question<T> question) throws LockingException {
        try {
            return question.ask();
        } catch (StoreException e) {
            throw new LockingException("Failed to " + what + ": " + about, e);
        }
    }
}
