// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.judge.Witness;
import com.github.reservation.torture.planted.BrokenLocks;
import com.github.reservation.torture.planted.Planted;
import com.github.reservation.torture.worker.Setting;
import com.github.reservation.torture.worker.Workload;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Locks keys through all parts of the API, a few of them by many threads, and most of them by one at a time. Nothing is locked twice by one
 * thread, and no thread is interrupted: that is for tests.
 */
public final class LockWorkload implements Workload {

    private static final int THREADS = 12;
    private static final int HOT_KEYS = 4;
    private static final int COLD_KEYS = 20_000;

    private final ReservationManager manager;
    private final Journal journal;
    private final Use use;
    private final int callsForAForce;

    /** How a worker asks for a lock. */
    private enum Way {
        TRY, TRY_FOR, LOCK, HANDLE, RUN, LEASE
    }

    public LockWorkload(Setting setting, int judge) {
        this.manager = setting.locks();
        this.journal = setting.journal();
        // Only who lost a lock by force notices whether a renewal revives it.
        this.callsForAForce = setting.planted().equals(Optional.of(Planted.RENEWAL_REVIVES)) ? 20 : 2_000;
        this.use = new Use(
                journal, setting.worker(), ThreadLocal.withInitial(() -> new Witness(judge)),
                setting.planted().isPresent());
        manager.onLost(BrokenLocks.listener(this::lost, setting.planted()));
    }

    @Override
    public int threads() {
        return THREADS;
    }

    /** Not with the thread of the holder: the listener has threads of its own. */
    private void lost(LostReservation lost) {
        journal.notes("lost", lost.identifier(),
                "fence", lost.fencingToken().isPresent() ? lost.fencingToken().getAsLong() : "-",
                "reason", lost.reason());
    }

    @Override
    public void once(RandomGenerator random) throws Exception {
        boolean hot = Thread.currentThread().threadId() % 3 == 0; // Who waits for a hot key does nothing else meanwhile.
        String key = hot ? "hot-" + random.nextInt(HOT_KEYS) : "cold-" + random.nextInt(COLD_KEYS);
        if (random.nextInt(callsForAForce) == 0) {
            force(key);
        } else {
            lock(key, wayFor(hot, random), random);
        }
    }

    private static Way wayFor(boolean hot, RandomGenerator random) {
        Way way = Way.values()[random.nextInt(Way.values().length)];
        // A try does not wait: at a hot key it would do little but be refused. A lease shows no token, and hot keys show all of theirs.
        return hot && (way == Way.LEASE || way == Way.TRY && random.nextInt(8) > 0) ? Way.LOCK : way;
    }

    private void force(String key) {
        use.forces(key);
        journal.calls("force", key);
        try {
            manager.getReservation(key).forceUnlock();
            journal.returns("done");
        } catch (ReservationException e) {
            journal.returns("failed", "error", e);
        }
    }

    private void lock(String key, Way way, RandomGenerator random) throws Exception {
        Duration lease = Duration.ofMillis(random.nextInt(1_000, 3_001));
        Duration wait = switch (way) {
            case TRY, LEASE -> Duration.ZERO;
            case TRY_FOR, HANDLE, RUN -> Duration.ofMillis(random.nextInt(4) == 0 ? 0 : random.nextInt(1_000));
            case LOCK -> Duration.ofDays(1);
        };
        LockOptions options =
                LockOptions.defaults().waitTime(wait).leaseTime(lease).maxHold(Duration.ofSeconds(20));
        long asked = System.nanoTime();
        journal.calls("acquire", key, "way", way, "lease", lease.toMillis(), "wait", wait.toMillis());
        try {
            switch (way) {
                case TRY, TRY_FOR -> {
                    Reservation reservation = manager.getReservation(key);
                    usedIf(reservation.tryLock(wait, lease), Hold.of(reservation), key, lease, random);
                }
                case LOCK -> {
                    Reservation reservation = manager.getReservation(key);
                    reservation.lock(lease);
                    use.of(Hold.of(reservation), key, lease, random);
                }
                case HANDLE -> {
                    HeldLock held = manager.tryAcquire(key, options);
                    usedIf(held != null, held == null ? null : Hold.of(held), key, lease, random);
                }
                case RUN -> {
                    if (!manager.tryRun(key, options, held -> use.of(Hold.of(held), key, lease, random)).isExecuted()) {
                        journal.returns("refused");
                    }
                }
                case LEASE -> {
                    LockLease granted =
                            manager.lockProvider().acquireLock(key, UUID.randomUUID().toString(), lease);
                    usedIf(granted != null, Hold.of(manager.lockProvider(), granted, asked, lease), key, lease, random);
                }
            }
        } catch (ReservationExpiredException e) {
            // The lock of the work was lost: its release has noted it.
        } catch (ReservationException e) {
            use.failed(e);
        }
    }

    private void usedIf(boolean granted, Hold hold, String key, Duration lease, RandomGenerator random)
            throws InterruptedException {
        if (granted) {
            use.of(hold, key, lease, random);
        } else {
            journal.returns("refused");
        }
    }

    @Override
    public void close() {
        // Every hold was released by its thread; witnesses end with the process.
    }
}
