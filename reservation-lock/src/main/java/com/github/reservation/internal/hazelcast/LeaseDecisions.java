// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.internal.hazelcast.LeaseMap.Decision;
import com.github.reservation.internal.hazelcast.LeaseMap.Step;
import com.github.reservation.internal.hazelcast.LeaseMap.Tried;
import com.github.reservation.internal.hazelcast.OwnedLeases.Owned;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What each operation makes of the record of a key. Asks nobody: the record and the time are given. */
final class LeaseDecisions {

    private static final Duration LONGEST_LEASE = Duration.ofDays(365 * 100);

    /** How long a released key is kept for the first node in line. One that misses its message comes too late, and lines up again. */
    static final long GRACE = micros(HazelcastLeaseStore.LONGEST_POLL.plusMillis(100));

    /** By how much the clocks of the members may differ. */
    private static final long CLOCK_DIFFERENCE = micros(Duration.ofMillis(500));

    private LeaseDecisions() {}

    /** The answer to a request, and what it granted. */
    record Answer(Acquisition acquisition, @Nullable Owned granted) {}

    static Decision<Answer> acquire(AcquireRequest request) {
        return (current, now, tried) -> {
            if (current == null) {
                return grant(request, null, List.of(), now);
            }
            LeaseRow row = current.row();
            if (isOwn(current, request.lease(), tried)) {
                return Step.stay(answer(request, current, null));
            }
            if (isHeld(row, now)) {
                return refuse(request, current, row.endsAt() + CLOCK_DIFFERENCE - now.lo(), now);
            }
            if (row.isKeptFromAt(request.node(), now.hi())) {
                return refuse(request, current, row.keptUntil() - now.hi(), now);
            }
            return grant(request, current, row.waitersAfterGrantTo(request.node()), now);
        };
    }

    /** Returns whether a grant that was tried has happened after all: not only a lease of the same name, but this very grant of it. */
    private static boolean isOwn(MapRecord current, LeaseId lease, List<Tried> tried) {
        return current.isOf(lease)
                && tried.stream().anyMatch(write -> write.next().row().fence() == current.row().fence());
    }

    /** Returns whether nobody else may have the key: for as long as the clock of any member may be before the end. */
    private static boolean isHeld(LeaseRow row, Moment now) {
        return row.leaseAt(now.lo() - CLOCK_DIFFERENCE) != null;
    }

    /** The fence grows with the clock, so that it also grows when the record of the key was lost or forgotten. */
    private static Step<Answer> grant(
            AcquireRequest request, @Nullable MapRecord current, List<String> waiters, Moment now) {
        long fence = current == null ? now.hi() : Math.max(current.row().fence() + 1, now.hi());
        long time = micros(request.leaseTime());
        MapRecord next = MapRecord.next(
                current, new LeaseRow(request.lease(), fence, now.hi(), now.hi() + time, waiters, now.hi()));
        return new Step<>(next, false, answer(request, next, current));
    }

    private static Answer answer(AcquireRequest request, MapRecord granted, @Nullable MapRecord before) {
        return new Answer(
                new Granted(OptionalLong.of(granted.row().fence())),
                new Owned(request.lease(), granted, before, in(micros(request.leaseTime()))));
    }

    private static Step<Answer> refuse(AcquireRequest request, MapRecord current, long remaining, Moment now) {
        LeaseRow row = current.row();
        boolean joins = request.waits() && !row.waiters().contains(request.node());
        LeaseRow marked = joins ? row.withWaiter(request.node()) : row;
        int place = marked.waiters().indexOf(request.node());
        long grantedAgo = row.lease() == null ? 0 : Math.max(1, now.hi() - row.acquiredAt());
        Answer answer = new Answer(
                new Refused(
                        duration(Math.max(0, remaining)),
                        place >= 0,
                        place >= 0 ? place : marked.waiters().size(),
                        Optional.of(duration(grantedAgo))),
                null);
        return joins ? new Step<>(MapRecord.next(current, marked), true, answer) : Step.stay(answer);
    }

    static Decision<Optional<Owned>> renew(LeaseId lease, Duration leaseTime) {
        return (current, now, tried) -> {
            if (current == null || !lease.equals(current.row().leaseAt(now.lo()))) {
                return Step.stay(Optional.empty());
            }
            long end = Math.max(current.row().endsAt(), now.hi() + micros(leaseTime));
            MapRecord next = MapRecord.next(current, current.row().withEnd(end));
            return new Step<>(next, false, Optional.of(new Owned(lease, next, current, in(end - now.hi()))));
        };
    }

    /** Decides for one release alone: it remembers whether the lease existed. */
    static Decision<Boolean> release(LeaseId lease, @Nullable String queuing) {
        AtomicBoolean existed = new AtomicBoolean();
        return (current, now, tried) -> {
            if (current == null || !current.isOf(lease)) {
                // Hazelcast repeats requests: a lease that existed when its release was sent has ended by it, or by force.
                MapRecord before = tried.isEmpty() ? null : tried.getLast().on();
                boolean forced = before != null && current != null && current.tellsOfForceSince(before);
                return Step.stay(existed.get() && !forced);
            }
            existed.set(current.row().leaseAt(now.lo()) != null);
            return released(current, queuing, now, existed.get());
        };
    }

    private static Step<Boolean> released(
            MapRecord current, @Nullable String queuing, Moment now, boolean existed) {
        boolean awaited = !current.row().waiters().isEmpty();
        LeaseRow row = awaited && queuing != null ? current.row().withWaiter(queuing) : current.row();
        return new Step<>(MapRecord.next(current, row.released(now.hi() + GRACE)), awaited, existed);
    }

    /** Ends a lease of this process whose time is over; not one that was renewed meanwhile, by this process or another one. */
    static Decision<Boolean> end(Owned owned) {
        return (current, now, tried) -> current != null
                && current.isOf(owned.lease())
                && current.row().endsAt() <= owned.written().row().endsAt()
                        ? released(current, null, now, true)
                        : Step.stay(false);
    }

    /**
     * Brings the record of a lease back that members may have lost. If nobody has touched the key since, it is written again; if an older
     * record of the lease is there, without its last renewal, it gets its end. Answers whether the record is there then.
     */
    static Decision<Boolean> restore(Owned owned, BooleanSupplier stillOwned) {
        return (current, now, tried) -> {
            MapRecord written = owned.written();
            if (current != null && current.isOf(owned.lease())) {
                return current.row().endsAt() >= written.row().endsAt()
                        ? Step.stay(true)
                        : new Step<>(
                                MapRecord.next(current, current.row().withEnd(written.row().endsAt())), false, true);
            }
            boolean untouched = current == null || current.isSame(owned.before());
            return untouched && stillOwned.getAsBoolean()
                    ? new Step<>(MapRecord.next(written, written.row()), false, true)
                    : Step.stay(false);
        };
    }

    static Decision<Optional<LeaseId>> forceRelease() {
        return (current, now, tried) -> {
            if (current == null || !isHeld(current.row(), now)) {
                return Step.stay(Optional.empty());
            }
            MapRecord next = MapRecord.forced(current, current.row().released(now.hi() + GRACE));
            return new Step<>(next, true, Optional.ofNullable(current.row().lease()));
        };
    }

    static Decision<Optional<Owned>> pass(LeaseId lease, AcquireRequest next) {
        return (current, now, tried) -> {
            if (current != null && isOwn(current, next.lease(), tried)) {
                return Step.stay(Optional.ofNullable(answer(next, current, null).granted));
            }
            if (current == null
                    || !lease.equals(current.row().leaseAt(now.lo()))
                    || current.row().isAwaitedByOthersThan(next.node())) {
                return Step.stay(Optional.empty());
            }
            Step<Answer> step = grant(next, current, List.of(), now);
            return new Step<>(step.next(), false, Optional.ofNullable(step.answer().granted));
        };
    }

    static Decision<Boolean> withdraw(String node) {
        return (current, now, tried) -> {
            if (current == null || !current.row().waiters().contains(node)) {
                return Step.stay(true);
            }
            LeaseRow row = current.row().withdrawn(node, now.hi() + GRACE);
            return new Step<>(MapRecord.next(current, row), row.lease() == null && !row.waiters().isEmpty(), true);
        };
    }

    /** Returns whether nobody has wanted the key for so long. */
    static boolean isForgotten(LeaseRow row, long now, long patience) {
        return (row.lease() == null ? row.keptUntil() : row.endsAt()) + patience < now;
    }

    /** Returns the lease as this process has it if it finds the record of its own request, whose answer got lost. */
    static Owned adopt(MapRecord record, LeaseId lease, Moment now) {
        return new Owned(lease, record, null, in(record.row().endsAt() - now.lo()));
    }

    /** A lease that is over counts as existing for as long as nobody could get the key. */
    static Optional<StoredLease> stored(MapRecord record, Moment now) {
        LeaseRow row = record.row();
        return Optional.ofNullable(row.leaseAt(now.lo() - CLOCK_DIFFERENCE))
                .map(lease -> new StoredLease(
                        lease,
                        Instant.EPOCH.plus(row.acquiredAt(), ChronoUnit.MICROS),
                        duration(Math.max(1, row.endsAt() - now.hi())),
                        OptionalLong.of(row.fence())));
    }

    /** Returns the time on this process's own clock. */
    private static long in(long micros) {
        return System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static long micros(Duration leaseTime) {
        return TimeUnit.MICROSECONDS.convert(leaseTime.compareTo(LONGEST_LEASE) > 0 ? LONGEST_LEASE : leaseTime);
    }
}
