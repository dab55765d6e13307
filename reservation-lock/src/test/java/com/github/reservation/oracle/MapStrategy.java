// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A strategy as a user may write it, with what there must be: locks in a map. {@link Renewing} can do a little more. */
class MapStrategy implements LockingStrategy {

    private record Entry(String holder, Instant since, long end) {}

    private final Map<String, Entry> locks = new ConcurrentHashMap<>();
    private final Ticker ticker;

    MapStrategy(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) {
        Entry mine = new Entry(holder, Instant.now(), endOf(leaseTime));
        return locks.compute(reservationKey, (key, held) -> held != null && isLive(held) ? held : mine) == mine;
    }

    @Override
    public boolean release(String reservationKey, String holder) {
        return changed(reservationKey, holder, held -> null);
    }

    @Override
    public void forceRelease(String reservationKey) {
        locks.remove(reservationKey);
    }

    @Override
    public boolean isLocked(String reservationKey) {
        return getLockInfo(reservationKey).isPresent();
    }

    @Override
    public Optional<LockInfo> getLockInfo(String reservationKey) {
        return Optional.ofNullable(locks.get(reservationKey)).filter(this::isLive).map(this::info);
    }

    @Override
    public Map<String, LockInfo> listLocks(String keyPrefix) {
        return locks.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(keyPrefix) && isLive(entry.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> info(entry.getValue())));
    }

    /** Changes the lock if the holder has it, and returns whether it has. */
    private boolean changed(String reservationKey, String holder, UnaryOperator<Entry> change) {
        AtomicBoolean had = new AtomicBoolean();
        locks.computeIfPresent(reservationKey, (key, held) -> {
            had.set(held.holder.equals(holder) && isLive(held));
            return had.get() ? change.apply(held) : held;
        });
        return had.get();
    }

    private boolean isLive(Entry entry) {
        return entry.end - ticker.nanos() > 0;
    }

    private LockInfo info(Entry entry) {
        return new LockInfo(entry.holder, entry.since, Instant.now().plusNanos(entry.end - ticker.nanos()));
    }

    private long endOf(Duration leaseTime) {
        return ticker.nanos() + Math.min(TimeUnit.NANOSECONDS.convert(leaseTime), Long.MAX_VALUE / 2);
    }

    /** The same, and it can renew. */
    static final class Renewing extends MapStrategy {

        Renewing(Ticker ticker) {
            super(ticker);
        }

        @Override
        public boolean renew(String reservationKey, String holder, Duration leaseTime) {
            long end = super.endOf(leaseTime);
            return super.changed(reservationKey, holder, held -> end - held.end > 0
                    ? new Entry(held.holder, held.since, end)
                    : held);
        }
    }
}
