// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.bridge;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.SqlFailures;
import com.github.reservation.oracle.LockingException;
import com.github.reservation.oracle.LockingStrategy;
import com.github.reservation.oracle.LockingStrategy.LockInfo;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Leases that a user's {@link LockingStrategy} keeps. They have no fences. */
public class StrategyLeaseStore implements LeaseStore {

    /** A chain of causes can be a circle. */
    private static final int MOST_CAUSES = 20;

    private final LockingStrategy strategy;

    private StrategyLeaseStore(LockingStrategy strategy) {
        this.strategy = strategy;
    }

    /** Returns a store that can renew leases if the strategy can. */
    public static LeaseStore of(LockingStrategy strategy) {
        return overridesRenew(strategy) ? new StrategyLeaseStore(strategy) : new Fixed(strategy);
    }

    private static boolean overridesRenew(LockingStrategy strategy) {
        try {
            return strategy.getClass()
                    .getMethod("renew", String.class, String.class, Duration.class)
                    .getDeclaringClass() != LockingStrategy.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Every strategy has a method renew", e);
        }
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        if (call(() -> strategy.tryAcquire(lease.key(), lease.holder(), request.leaseTime()))) {
            return new Acquisition.Granted(OptionalLong.empty());
        }
        return new Acquisition.Refused(request.waits() ? timeToWait(request) : Duration.ZERO, false);
    }

    /**
     * Returns for how long the key is surely held, for a waiter. A strategy can refuse a key and then report no lock, or one that
     * is over: it has reasons of its own, or another clock. Then the waiter pauses as usual, and must not ask again at once.
     */
    private Duration timeToWait(AcquireRequest request) {
        try {
            return find(request.lease().key())
                    .map(StoredLease::remaining)
                    .filter(Duration::isPositive)
                    .orElse(request.leaseTime());
        } catch (StoreException e) {
            Log.debug("The strategy did not say for how long " + request.lease().key() + " is held", e);
            return request.leaseTime();
        }
    }

    @Override
    public int mostLeasesInACall() {
        return 1;
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId lease : leases) {
            if (call(() -> strategy.renew(lease.key(), lease.holder(), leaseTime))) {
                renewed.add(lease);
            }
        }
        return Renewal.decided(renewed);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        Set<LeaseId> released = new HashSet<>();
        for (LeaseId lease : leases) {
            if (call(() -> strategy.release(lease.key(), lease.holder()))) {
                released.add(lease);
            }
        }
        return released;
    }

    /** Names the lease that it found before. A strategy does not return which one it ended: there may have been a newer one. */
    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        Optional<LeaseId> found = find(key).map(StoredLease::id);
        return call(() -> {
            strategy.forceRelease(key);
            return found;
        });
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return call(() -> requireNonNull("getLockInfo", strategy.getLockInfo(key)).map(info -> lease(key, info)));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return call(() -> requireNonNull("listLocks", strategy.listLocks(keyPrefix)).entrySet().stream()
                .map(entry -> lease(entry.getKey(), entry.getValue()))
                .toList());
    }

    private <T> T requireNonNull(String method, @Nullable T result) {
        return Objects.requireNonNull(result, () -> strategy.getClass().getName() + '.' + method + " returned null");
    }

    private static StoredLease lease(String key, LockInfo info) {
        return new StoredLease(
                new LeaseId(key, info.holder()), info.acquiredAt(), info.remainingLeaseTime(), OptionalLong.empty());
    }

    /** A call of the strategy. */
    @FunctionalInterface
    private interface Call<T> {
        T execute() throws LockingException;
    }

    private static <T> T call(Call<T> call) throws StoreException {
        try {
            return call.execute();
        } catch (LockingException | RuntimeException e) {
            throw new StoreException(kindOf(e), e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    /** If the exception does not say what happened, the outcome is unknown. */
    private static Kind kindOf(Exception e) {
        if (e instanceof UnsupportedOperationException) {
            return Kind.MISCONFIGURED;
        }
        // The strategy and what it uses may have wrapped the exception of the database.
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .flatMap(cause -> switch (cause) {
                    case StoreException store -> Stream.of(store.kind());
                    case SQLException sql -> Stream.of(SqlFailures.kindOf(sql, Dialects.ORACLE));
                    default -> Stream.empty();
                })
                .findFirst()
                .orElse(Kind.OUTCOME_UNKNOWN);
    }

    /** The same for a strategy that cannot renew. */
    private static final class Fixed extends StrategyLeaseStore implements FixedLeaseStore {

        Fixed(LockingStrategy strategy) {
            super(strategy);
        }
    }
}
