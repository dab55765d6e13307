// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.internal.jdbc.lock.Dialects;
import com.github.reservation.internal.jdbc.lock.SqlFailures;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.FixedLeaseStore;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.oracle.LockingStrategy.LockInfo;
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

/** A {@link LockingStrategy} of the user's, as the core sees it: leases without fences. */
class StrategyLeases implements LeaseStore {

    /** Causes may go round in a circle. */
    private static final int MOST_CAUSES = 20;

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
        return new Acquisition.Refused(request.waits() ? timeToWait(request) : Duration.ZERO, false);
    }

    /**
     * Returns for how long the key is surely taken, for whoever waits. A strategy that has just said "no" and now tells of no
     * lock, of one whose time is over, or nothing at all is asked again after a pause like any other: it may say "no" for
     * reasons of its own, or have another clock, and must not be asked without a pause for that.
     */
    private Duration timeToWait(AcquireRequest request) {
        try {
            return find(request.lease().key())
                    .map(StoredLease::remaining)
                    .filter(Duration::isPositive)
                    .orElse(request.leaseTime());
        } catch (StoreException e) {
            Log.debug("The strategy did not say for how long " + request.lease().key() + " is taken", e);
            return request.leaseTime();
        }
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
        return asked(() -> answered("getLockInfo", strategy.getLockInfo(key)).map(info -> lease(key, info)));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return asked(() -> answered("listLocks", strategy.listLocks(keyPrefix)).entrySet().stream()
                .map(entry -> lease(entry.getKey(), entry.getValue()))
                .toList());
    }

    private <T> T answered(String method, @Nullable T answer) {
        return Objects.requireNonNull(answer, () -> strategy.getClass().getName() + '.' + method + " returned null");
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
        } catch (LockingException | RuntimeException e) {
            throw new StoreException(kindOf(e), e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    /** Where the strategy does not say what happened, it is not known whether anything did. */
    private static Kind kindOf(Exception e) {
        if (e instanceof UnsupportedOperationException) {
            return Kind.MISCONFIGURED;
        }
        // What the database said may be wrapped, and more than once: by the strategy, and by what it uses.
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .flatMap(cause -> switch (cause) {
                    case StoreException said -> Stream.of(said.kind());
                    case SQLException said -> Stream.of(SqlFailures.kindOf(said, Dialects.ORACLE));
                    default -> Stream.empty();
                })
                .findFirst()
                .orElse(Kind.OUTCOME_UNKNOWN);
    }

    /** The same for a strategy that cannot renew. */
    private static final class Fixed extends StrategyLeases implements FixedLeaseStore {

        Fixed(LockingStrategy strategy) {
            super(strategy);
        }
    }
}
