// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.hazelcast.core.EntryView;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The map whose keys are locked, one round trip per call but {@link #giveUp}. No call here waits for a lock that somebody else
 * has, but {@link #tryLock} for as long as it is told to, and {@link #describe}.
 */
final class LockMap {

    /**
     * How often in a row somebody else may have the lock when it is looked at, and have left it when it is entered. When many
     * want the key for a moment only, that happens several times in a row.
     */
    private static final int COINCIDENCES = 12;

    private final HazelcastInstance instance;
    private final String name;
    private final Calls calls;
    private final Runnable refused;

    /** Got at the first use: a client may have no connection before. */
    private volatile @Nullable IMap<String, String> map;

    /** Runs {@code refused} when split-brain protection has refused something. */
    LockMap(HazelcastInstance instance, String name, Calls calls, Runnable refused) {
        this.instance = instance;
        this.name = name;
        this.calls = calls;
        this.refused = refused;
    }

    /** Something to ask of the map. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(IMap<String, String> map) throws InterruptedException;
    }

    /**
     * Locks the key, or enters a lock of the same owner once more.
     *
     * @throws InterruptedException if the thread was interrupted; the cluster may still lock the key, now or until the end
     *     of {@code patience}
     */
    boolean tryLock(Owner owner, Duration patience, Duration lockTime) throws StoreException, InterruptedException {
        return ask(owner,
                locks -> locks.tryLock(
                        owner.key(),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS,
                        lockTime.toMillis(),
                        TimeUnit.MILLISECONDS));
    }

    /** Leaves the lock once; false if it is somebody else's, or nobody's. */
    boolean unlock(Owner owner) throws StoreException, InterruptedException {
        return ask(owner, locks -> {
            try {
                locks.unlock(owner.key());
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        });
    }

    /**
     * Gives back whatever the owner has, if it has anything. A member logs an unlock in vain with a stack trace, and Hazelcast
     * does not say who has a lock. So the owner enters it once more, which only fails if somebody else has it, and leaves it
     * again. If it is found locked again and again, and can be entered each time, it is the owner's own, and is left once more.
     */
    void giveUp(Owner owner) throws StoreException, InterruptedException {
        for (int found = 1; isLocked(owner.key()) && tryLock(owner, Duration.ZERO, LockTimes.A_MOMENT); found++) {
            unlock(owner);
            if (found > COINCIDENCES) {
                unlock(owner);
            }
        }
    }

    /** Writes the value of the key. If somebody else has the lock, this waits until it is free. */
    void describe(Owner owner, String value, Duration life) throws StoreException, InterruptedException {
        ask(owner, locks -> {
            locks.set(owner.key(), value, life.toSeconds(), TimeUnit.SECONDS);
            return true;
        });
    }

    /** Removes the value of the key, unless somebody else has the lock. */
    void erase(Owner owner) throws StoreException, InterruptedException {
        ask(owner, locks -> locks.tryRemove(owner.key(), 0, TimeUnit.MILLISECONDS));
    }

    boolean isLocked(String key) throws StoreException {
        return ask(locks -> locks.isLocked(key));
    }

    /** Frees the key, whoever has it. */
    void forceUnlock(String key) throws StoreException {
        ask(locks -> {
            locks.forceUnlock(key);
            return true;
        });
    }

    /** Removes the value of the key, unless the key is locked. */
    void eraseIfFree(String key) throws StoreException {
        ask(locks -> locks.tryRemove(key, 0, TimeUnit.MILLISECONDS));
    }

    Optional<EntryView<String, String>> entry(String key) throws StoreException {
        return ask(locks -> Optional.ofNullable(locks.getEntryView(key)));
    }

    /** Returns the keys that have a value. */
    Set<String> keys() throws StoreException {
        return ask(IMap::keySet);
    }

    private <T> T ask(Question<T> question) throws StoreException {
        try {
            return calls.run(() -> translated(question));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private <T> T ask(Owner owner, Question<T> question) throws StoreException, InterruptedException {
        return calls.run(() -> owner.asks(() -> translated(question)));
    }

    private <T> T translated(Question<T> question) throws StoreException, InterruptedException {
        try {
            return question.ask(map());
        } catch (RuntimeException e) {
            if (Failures.isInterrupt(e)) {
                Thread.interrupted(); // Hazelcast leaves the flag up, and would fail at once the next time.
                InterruptedException interrupt = new InterruptedException("Interrupted while Hazelcast was asked");
                interrupt.initCause(e);
                throw interrupt;
            }
            if (e instanceof SplitBrainProtectionException) {
                refused.run();
            }
            throw Failures.of(e);
        }
    }

    /** Leaves the interrupt to the caller; what was asked may have been done. */
    static StoreException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted while Hazelcast was asked", e);
    }

    private IMap<String, String> map() {
        IMap<String, String> known = map;
        if (known == null) {
            known = instance.getMap(name);
            map = known;
        }
        return known;
    }
}
