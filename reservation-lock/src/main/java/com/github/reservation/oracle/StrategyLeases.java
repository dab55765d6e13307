// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.FixedLeaseStore;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.jdbc.table.Dialects;
import com.github.reservation.jdbc.table.SqlFailures;
import com.github.reservation.oracle.LockingStrategy.LockInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A {@link LockingStrategy} of the user's, as the core sees it: leases without fences. */
class StrategyLeases implements LeaseStore {

    private final LockingStrategy strategy;

    private StrategyLeases(LockingStrategy strategy) {
        this.strategy = strategy;
    }

    /** Returns the strategy as a store that renews leases if the strategy does. */
    static LeaseStore of(LockingStrategy strategy) {
        return overridesRenew(strategy) ? new StrategyLeases(strategy) : new Fixed(strategy);
    }

    private static boolean overridesRenew(LockingStrategy strategy) {
        try {
            return strategy.getClass()
                    .getMethod("renew", String.class, String.class, Duration.class)
                    .getDeclaringClass() != LockingStrategy.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Every strategy has it", e);
        }
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        if (asked(() -> strategy.tryAcquire(lease.key(), lease.holder(), request.leaseTime()))) {
            return new Acquisition.Granted(OptionalLong.empty());
        }
        return new Acquisition.Refused(find(lease.key()).map(StoredLease::remaining).orElse(Duration.ZERO), false);
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId lease : leases) {
            if (asked(() -> strategy.renew(lease.key(), lease.holder(), leaseTime))) {
                renewed.add(lease);
            }
        }
        return renewed;
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        Set<LeaseId> released = new HashSet<>();
        for (LeaseId lease : leases) {
            if (asked(() -> strategy.release(lease.key(), lease.holder()))) {
                released.add(lease);
            }
        }
        return released;
    }

    @Override
    public boolean forceRelease(String key) throws StoreException {
        return asked(() -> {
            boolean locked = strategy.isLocked(key);
            strategy.forceRelease(key);
            return locked;
        });
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return asked(() -> strategy.getLockInfo(key)).map(info -> lease(key, info));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return asked(() -> strategy.listLocks(keyPrefix)).entrySet().stream()
                .map(entry -> lease(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static StoredLease lease(String key, LockInfo info) {
        return new StoredLease(
                new LeaseId(key, info.holder()), info.acquiredAt(), info.remainingLeaseTime(), OptionalLong.empty());
    }

    /** A question to the strategy. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws LockingException;
    }

    private static <T> T asked(Question<T> question) throws StoreException {
        try {
            return question.ask();
        } catch (LockingException e) {
            throw new StoreException(kindOf(e), String.valueOf(e.getMessage()), e);
        } catch (UnsupportedOperationException e) {
            throw new StoreException(Kind.MISCONFIGURED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Where the strategy does not say what happened, it is not known whether anything did. */
    private static Kind kindOf(LockingException e) {
        return switch (e.getCause()) {
            case StoreException said -> said.kind();
            case SQLException said -> SqlFailures.kindOf(said, Dialects.ORACLE);
            case null, default -> Kind.OUTCOME_UNKNOWN;
        };
    }

    /** The same for a strategy that cannot renew. */
    private static final class Fixed extends StrategyLeases implements FixedLeaseStore {

        Fixed(LockingStrategy strategy) {
            super(strategy);
        }
    }
}
