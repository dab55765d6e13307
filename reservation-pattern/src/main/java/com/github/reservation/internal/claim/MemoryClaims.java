// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Ticker;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.ReserveOutcome.Lapsed;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims in the memory of this JVM. Its clock is a ticker, which starts at the time of day. */
public final class MemoryClaims implements TransactionalClaimStore {

    private final Ticker ticker;
    private final Instant start;
    private final long startNanos;
    private final Lock guard = new ReentrantLock();
    private final Map<String, ClaimRow> rows = new HashMap<>();

    public MemoryClaims(Ticker ticker) {
        this.ticker = ticker;
        this.start = Instant.ofEpochMilli(ticker.epochMillis());
        this.startNanos = ticker.nanos();
    }

    /** Does the work while nothing else changes, at one time. */
    private <T> T alone(Function<Instant, T> work) {
        guard.lock();
        try {
            return work.apply(start.plusNanos(ticker.nanos() - startNanos).truncatedTo(ChronoUnit.MICROS));
        } finally {
            guard.unlock();
        }
    }

    @Override
    public ReserveOutcome reserve(NewClaim wanted) {
        return alone(now -> {
            ClaimRow before = rows.get(wanted.reservationId());
            if (before != null && !before.isFree(now)) {
                return occupied(wanted, before.stored(now));
            }
            ClaimRow row = new ClaimRow(wanted, before == null ? 1 : before.stored(now).claim().version() + 1, now);
            rows.put(wanted.reservationId(), row);
            return granted(row.claim(now), before == null ? Optional.empty() : before.lapsed());
        });
    }

    private static ReserveOutcome occupied(NewClaim wanted, StoredClaim there) {
        Claim claim = there.claim();
        return there.token().equals(wanted.token()) && claim.status() == ClaimStatus.RESERVED
                ? granted(claim, Optional.empty())
                : new ReserveOutcome.Refused(
                        claim.status(), claim.expiresAt(), claim.correlationId(), there.token(), claim.version());
    }

    private static ReserveOutcome granted(Claim claim, Optional<Lapsed> before) {
        return new ReserveOutcome.Granted(claim.expiresAt(), claim.version(), before);
    }

    @Override
    public ClaimChange confirm(ClaimRef claim, String entityId) {
        return changeActive(claim, (row, now) -> row.confirm(entityId, now), Claim::updatedAt);
    }

    @Override
    public ClaimChange release(ClaimRef claim) {
        return changeActive(claim, ClaimRow::release, Claim::updatedAt);
    }

    @Override
    public ClaimChange extend(ClaimRef claim, Duration ttl) {
        return changeActive(claim, (row, now) -> row.extend(ttl, now), Claim::expiresAt);
    }

    private ClaimChange changeActive(
            ClaimRef claim, BiConsumer<ClaimRow, Instant> change, Function<Claim, Instant> at) {
        return change(
                claim.reservationId(), (row, now) -> claim.admits(row.token()) && row.isActive(now), change, at);
    }

    @Override
    public ClaimChange releaseConfirmed(String reservationId, String entityId) {
        return change(
                reservationId, (row, now) -> row.isConfirmedFor(entityId), ClaimRow::release, Claim::updatedAt);
    }

    private ClaimChange change(
            String reservationId,
            BiPredicate<ClaimRow, Instant> allowed,
            BiConsumer<ClaimRow, Instant> change,
            Function<Claim, Instant> at) {
        return alone(now -> {
            ClaimRow row = rows.get(reservationId);
            if (row == null || !allowed.test(row, now)) {
                return new ClaimChange.Refused(stored(row, now));
            }
            change.accept(row, now);
            Claim changed = row.claim(now);
            return new ClaimChange.Done(at.apply(changed), Optional.of(changed.type()));
        });
    }

    @Override
    public Optional<StoredClaim> find(String reservationId) {
        return alone(now -> stored(rows.get(reservationId), now));
    }

    private static Optional<StoredClaim> stored(@Nullable ClaimRow row, Instant now) {
        return row == null ? Optional.empty() : Optional.of(row.stored(now));
    }

    @Override
    public List<Claim> findByEntity(String entityId) {
        return alone(now -> rows.values().stream()
                .filter(row -> row.isConfirmedFor(entityId))
                .map(row -> row.claim(now))
                .toList());
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() {
        return alone(now -> rows.values().stream()
                .collect(Collectors.groupingBy(row -> row.claim(now).status(), Collectors.counting())));
    }

    @Override
    public Duration lag() {
        return alone(now -> rows.values().stream()
                .filter(row -> row.isUnmarked(now))
                .map(row -> Duration.between(row.claim(now).expiresAt(), now))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO));
    }

    @Override
    public List<ClaimExpired> expire(int limit) {
        return alone(now -> rows.values().stream()
                .filter(row -> row.isUnmarked(now))
                .limit(limit)
                .map(row -> row.expire(now))
                .toList());
    }

    /** There are no transactions in memory: every call takes effect at once. */
    @Override
    public TransactionalClaimStore in(Connection connection) {
        return this;
    }
}
