// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.ReservationException;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.judge.Witness;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** What a thread does with a lock between its grant and its release: it writes to what the lock protects, renews, and dawdles. */
final class Use {

    private final Journal journal;
    private final String worker;
    private final ThreadLocal<Witness> witness;
    private final int quick;
    private final AtomicLong grants = new AtomicLong();

    /**
     * Makes the use of all locks of a process.
     *
     * @param slow whether more of them are held for long, so that less time is enough to see what comes of it
     */
    Use(Journal journal, String worker, ThreadLocal<Witness> witness, boolean slow) {
        this.journal = journal;
        this.worker = worker;
        this.witness = witness;
        this.quick = slow ? 100 : 1_000;
    }

    void forces(String key) {
        witness.get().forces(key);
    }

    /** Uses a lock that was just granted, and releases it. */
    void of(Hold hold, String key, Duration lease, RandomGenerator random) throws InterruptedException {
        Grant grant = new Grant(worker + "-" + grants.incrementAndGet(), key, hold);
        journal.returns("granted", "grant", grant.name, "fence", grant.fence(), "until", grant.until());
        // The judge keeps up with some of the cold keys.
        boolean judged = hold.fence().isPresent() && (key.startsWith("hot") || random.nextInt(8) == 0);
        if (judged) {
            grant.writes();
        }
        if (key.startsWith("hot") && random.nextInt(10) == 0) {
            Thread.sleep(random.nextInt(60)); // So that a fault finds somebody who holds what others wait for.
        }
        switch (random.nextInt(quick)) {
            case 0 -> staysTooLong(grant, lease);
            case 1 -> stays(grant, lease, random);
            case 2, 3, 4, 5, 6, 7, 8, 9 -> grant.renews(lease);
            default -> {
                // Most locks are short.
            }
        }
        if (judged) {
            grant.writes();
            witness.get().leaves(key, grant.name);
        }
        grant.releases();
    }

    /** Notes that a call of the library has failed: the request for the lock, or the end of its use. */
    void failed(ReservationException e) {
        journal.returns("failed", "error", e.getClass().getSimpleName() + ":" + e.getMessage());
    }

    /** Relies on the lock for longer than its lease, as a process does that was suspended. */
    private void staysTooLong(Grant grant, Duration lease) throws InterruptedException {
        Thread.sleep(grant.hold.isRenewed() ? lease.toMillis() / 2 : lease.toMillis() + 200);
    }

    /** Renews again and again, or lets the library renew. */
    private void stays(Grant grant, Duration lease, RandomGenerator random) throws InterruptedException {
        long end = System.nanoTime() + lease.toNanos() * random.nextInt(1, 3);
        while (System.nanoTime() < end) {
            Thread.sleep(lease.toMillis() / 4);
            if (!grant.hold.isRenewed() && !grant.renews(lease)) {
                return;
            }
            grant.holds();
        }
    }

    /** One acquisition. */
    private final class Grant {

        final String name;
        final String key;
        final Hold hold;
        private final OptionalLong fence;

        Grant(String name, String key, Hold hold) {
            this.name = name;
            this.key = key;
            this.hold = hold;
            this.fence = hold.fence();
        }

        String fence() {
            return fence.isPresent() ? Long.toString(fence.getAsLong()) : "-";
        }

        /** Returns until when the holder may trust the lease, as it believes now. */
        long until() {
            long now = System.nanoTime();
            return now + hold.remaining().toNanos();
        }

        void writes() {
            witness.get().writes(key, name, fence.getAsLong(), until());
        }

        void holds() {
            journal.notes("holds", key, "grant", name, "until", until());
        }

        boolean renews(Duration lease) {
            journal.calls("renew", key, "grant", name, "lease", lease.toMillis());
            try {
                boolean held = hold.renew(lease);
                journal.returns(held ? "renewed" : "lost", "until", until());
                return held;
            } catch (ReservationException e) {
                failed(e);
                return false;
            }
        }

        void releases() {
            journal.calls("unlock", key, "grant", name);
            try {
                journal.returns(hold.release() ? "released" : "lost");
            } catch (ReservationException e) {
                failed(e);
            }
        }
    }
}
