// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.hazelcast.core.EntryView;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The map whose keys are locked: one round trip per method, except for {@link #unlockAll}. No method waits for a lock of another
 * owner, except for {@link #tryLock}, for as long as it is asked to, and {@link #describe}.
 */
final class LockMap {

    /**
     * How often in a row a key may be locked by another owner at the look and free at the attempt to lock it. When many
     * callers want the key for a moment only, that happens every other time at worst.
     */
    private static final int COINCIDENCES = 12;

    private final HazelcastInstance instance;
    private final String name;
    private final InFlightCalls calls;
    private final Runnable whenRefused;

    /** Fetched at the first use: a client may have no connection before. */
    private volatile @Nullable IMap<String, String> map;

    /** Runs {@code whenRefused} when split-brain protection has refused a call. */
    LockMap(HazelcastInstance instance, String name, InFlightCalls calls, Runnable whenRefused) {
        this.instance = instance;
        this.name = name;
        this.calls = calls;
        this.whenRefused = whenRefused;
    }

    @FunctionalInterface
    private interface MapCall<T> {
        T on(IMap<String, String> map) throws InterruptedException;
    }

    /**
     * Locks the key; adds one to the hold count if the same owner has it already.
     *
     * @throws InterruptedException if the thread was interrupted; the cluster may still lock the key, now or until the end
     *     of {@code patience}
     */
    boolean tryLock(LockOwner owner, Duration patience, Duration lockTime) throws StoreException, InterruptedException {
        return ask(owner,
                locks -> locks.tryLock(
                        owner.key(),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS,
                        lockTime.toMillis(),
                        TimeUnit.MILLISECONDS));
    }

    /** Takes one from the hold count, which frees the key at zero; false if the owner does not have the lock. */
    boolean unlock(LockOwner owner) throws StoreException, InterruptedException {
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
     * Unlocks the key as often as the owner has locked it, if at all. A member logs an unlock that fails with a stack trace, and
     * Hazelcast does not say who has a lock. So the owner locks the key again, which only fails if another owner has it, and
     * unlocks it. A key that is found locked again and again, and can be locked each time, is the owner's own, and is unlocked
     * once more. That proves one hold; the next one needs a proof of its own.
     */
    void unlockAll(LockOwner owner) throws StoreException, InterruptedException {
        for (int found = 1; isLocked(owner.key()) && tryLock(owner, Duration.ZERO, LockTimes.A_MOMENT); found++) {
            unlock(owner);
            if (found > COINCIDENCES) {
                unlock(owner);
                found = 0;
            }
        }
    }

    /** Writes the value of the key. Waits until the key is free if another owner has the lock. */
    void describe(LockOwner owner, String value, Duration life) throws StoreException, InterruptedException {
        ask(owner, locks -> {
            locks.set(owner.key(), value, life.toSeconds(), TimeUnit.SECONDS);
            return true;
        });
    }

    /** Removes the value of the key, unless another owner has the lock. */
    void erase(LockOwner owner) throws StoreException, InterruptedException {
        ask(owner, locks -> locks.tryRemove(owner.key(), 0, TimeUnit.MILLISECONDS));
    }

    boolean isLocked(String key) throws StoreException {
        return ask(locks -> locks.isLocked(key));
    }

    /** Frees the key, whichever owner has it. */
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

    private <T> T ask(MapCall<T> call) throws StoreException {
        try {
            return calls.run(() -> translated(call));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private <T> T ask(LockOwner owner, MapCall<T> call) throws StoreException, InterruptedException {
        return calls.run(() -> owner.run(() -> translated(call)));
    }

    private <T> T translated(MapCall<T> call) throws StoreException, InterruptedException {
        try {
            return call.on(map());
        } catch (RuntimeException e) {
            if (Failures.isInterrupt(e)) {
                Thread.interrupted(); // Hazelcast leaves the flag up, and would fail at once the next time.
                InterruptedException interrupt = new InterruptedException("Interrupted while Hazelcast was asked");
                interrupt.initCause(e);
                throw interrupt;
            }
            if (e instanceof SplitBrainProtectionException) {
                whenRefused.run();
            }
            throw Failures.of(e);
        }
    }

    /** Sets the interrupt flag again for the caller; the call may have been carried out. */
    static StoreException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted while Hazelcast was asked", e);
    }

    private IMap<String, String> map() throws StoreException {
        IMap<String, String> known = map;
        if (known == null) {
            known = fetchMap();
            map = known;
        }
        return known;
    }

    /** Fetches the map. Threads that fetch it at the same time share one request, and its failure if one is interrupted. */
    private IMap<String, String> fetchMap() throws StoreException {
        try {
            return instance.getMap(name);
        } catch (HazelcastException e) {
            if (Failures.isInterrupt(e) && !Thread.currentThread().isInterrupted()) {
                throw new StoreException(Kind.CONTENTION, "Another thread was interrupted while it fetched the map", e);
            }
            throw e;
        }
    }
}
