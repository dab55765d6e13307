// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A provider that keeps its leases in a map, renews none that has ended, and grants none that is longer than it wants. */
final class HandWrittenProvider implements LockProvider {

    final Map<String, LockLease> held = new ConcurrentHashMap<>();
    final AtomicInteger renewals = new AtomicInteger();
    private final Duration longest;
    private final Ticker ticker;
    volatile boolean down;
    volatile boolean renewsInVain;

    HandWrittenProvider(Duration longest, Ticker ticker) {
        this.longest = longest;
        this.ticker = ticker;
    }

    @Override
    public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
        LockLease lease = lease(lockName, executionId, leaseDuration);
        return held.merge(lockName, lease, (old, fresh) -> hasEnded(old) ? fresh : old).equals(lease)
                ? lease
                : null;
    }

    @Override
    public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
        if (down) {
            throw new IllegalStateException("no network");
        }
        List<LockLease> renewed = leases.stream()
                .filter(lease -> !hasEnded(lease) && held.containsKey(lease.name()))
                .map(lease -> lease(lease.name(), lease.executionId(), leaseDuration))
                .toList();
        renewed.forEach(lease -> held.put(lease.name(), lease));
        renewals.incrementAndGet();
        return renewsInVain ? leases.stream().map(HandWrittenProvider::ended).toList() : renewed;
    }

    @Override
    public void release(List<LockLease> leases) {
        leases.forEach(lease -> held.remove(lease.name()));
    }

    private LockLease lease(String name, String executionId, Duration asked) {
        Duration time = asked.compareTo(longest) < 0 ? asked : longest;
        return new LockLease(name, executionId, ticker.epochMillis() + time.toMillis());
    }

    private static LockLease ended(LockLease lease) {
        return new LockLease(lease.name(), lease.executionId(), 0);
    }

    private boolean hasEnded(LockLease lease) {
        return lease.expiresAt() <= ticker.epochMillis();
    }
}
