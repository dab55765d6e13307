// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One waiting thread's place in the {@link LocalQueue}. */
final class Waiter {

    final String key;
    private volatile Baton baton = new Baton();
    private final Thread thread;
    private volatile long asksAt;
    private volatile boolean head;
    private volatile boolean woken;
    private volatile boolean marked;
    private volatile boolean wasRefused;
    private volatile @Nullable Long storeFailsSince;

    /** Since when this manager has had the key, if one of its threads handed it over to this one. */
    private volatile @Nullable Long handedOverSince;

    /** Whether the question that is being asked was brought about by a wake-up. */
    private boolean called;

    Waiter(String key, Thread thread) {
        this.key = key;
        this.thread = thread;
    }

    boolean isHead() {
        return head;
    }

    /** Makes this the one that asks the store, at the given time for the first time. */
    void becomeHead(long asksAt) {
        this.asksAt = asksAt;
        this.head = true;
        if (!thread.equals(Thread.currentThread())) {
            unpark();
        }
    }

    /** Makes this the head in place of one that gave up, with all that one knew. */
    void succeed(Waiter predecessor) {
        marked = predecessor.marked;
        wasRefused = predecessor.wasRefused;
        woken = predecessor.woken;
        handedOverSince = predecessor.handedOverSince;
        storeFailsSince = predecessor.storeFailsSince;
        becomeHead(predecessor.asksAt);
    }

    /** Sets when to ask again, unless woken before. */
    void askAgainAt(long time) {
        asksAt = time;
    }

    /** Notes that the store answered, and that the key is somebody else's. */
    void refused() {
        wasRefused = true;
        storeFailsSince = null;
        if (!woken) { // Else it may have been handed over since we asked.
            handedOverSince = null;
        }
    }

    /** Makes this ask now: a thread of this manager gave the key back, and perhaps lined up for it. */
    void handOver(@Nullable Long nodeHasItSince) {
        handedOverSince = nodeHasItSince;
        mark();
        wake();
    }

    Baton baton() {
        return baton;
    }

    /** Goes on without what another thread was to bring. */
    void dropBaton() {
        baton = new Baton();
    }

    /** Notes that a thread of this manager passes the key on to this one. */
    void passedOn(@Nullable Long nodeHasItSince) {
        handedOverSince = nodeHasItSince;
    }

    /** Returns since when this manager has had the key without a break, given that the key was granted now. */
    long nodeHasItSince(long now) {
        Long since = handedOverSince;
        return since == null ? now : since;
    }

    /** Returns whether it asks only because some time has passed, be it with a place in the store or without. */
    boolean polls() {
        return (marked || wasRefused) && !called;
    }

    /** Notes that the store failed; returns for how long it has done nothing else. */
    long storeFailsFor(long now) {
        Long since = storeFailsSince;
        if (since == null) {
            storeFailsSince = now;
            return 0;
        }
        return now - since;
    }

    /** Notes that the store may keep a place for this node. */
    void mark() {
        marked = true;
    }

    boolean isMarked() {
        return marked;
    }

    void wake() {
        woken = true;
        unpark();
    }

    /** Makes this look at its baton. */
    void unpark() {
        LockSupport.unpark(thread);
    }

    /**
     * Returns whether it is time to ask the store. A wake-up is used up before the question is sent: one that comes in
     * between is seen next time, and not lost. If the question brings no answer, whoever comes next asks at once.
     */
    boolean shouldAsk(long now, long deadline) {
        if (!head) {
            return false;
        }
        called = woken && now - deadline < 0;
        if (called) {
            woken = false;
            asksAt = now;
            return true;
        }
        return asksAt - now <= 0 && asksAt - deadline <= 0;
    }

    /** Parks until there is something to do, or the deadline, or for no reason at all. */
    void park(Ticker ticker, long deadline) {
        if (!woken) {
            long due = head && asksAt - deadline < 0 ? asksAt : deadline;
            ticker.parkUntil(this, due);
        }
    }
}
