// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.Ticker;
import com.github.reservation.store.StoreException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The place of one waiting thread in the {@link LocalQueue}. Only the head of the queue asks, and has a {@link Head}. */
final class Waiter {

    /** The store has done nothing but fail since then; {@code last} is its last failure. */
    private record Outage(long since, StoreException last) {}

    /** What the head of a queue knows of its key. The next head takes it over from one that gave up. */
    private static final class Head {

        private volatile long asksAt;

        /** A look before this time would hardly see anything new. */
        private volatile long nothingNewBefore;

        private volatile boolean inLine;
        private volatile boolean refused;
        private volatile @Nullable Outage outage;
        private volatile @Nullable Long nodeHasItSince;

        /** Whether a wake-up is the reason for the request that is being sent. */
        private boolean wokenToAsk;

        private Head(long asksAt) {
            this.asksAt = asksAt;
            this.nothingNewBefore = asksAt;
        }
    }

    final String key;
    private final Thread thread;
    private volatile Handoff handoff = new Handoff();
    private volatile boolean woken;

    /** Until when it waits; null before its first round. */
    private volatile @Nullable Long deadline;

    private volatile @Nullable Head head;

    Waiter(String key, Thread thread) {
        this.key = key;
        this.thread = thread;
    }

    boolean isHead() {
        return head != null;
    }

    /** Makes this the one that asks the store, at the given time for the first time. */
    void becomeHead(long asksAt) {
        begin(new Head(asksAt));
    }

    /** Makes this the head in place of one that gave up, with all that one knew. */
    void takeOverFrom(Waiter predecessor) {
        woken = predecessor.woken;
        begin(predecessor.head());
    }

    private void begin(Head begun) {
        head = begun;
        if (!thread.equals(Thread.currentThread())) {
            unpark();
        }
    }

    private Head head() {
        Head current = head;
        if (current == null) {
            throw new IllegalStateException("Only the head of a queue asks the store");
        }
        return current;
    }

    /** Sets when to ask again, unless woken before. */
    void askAgainAt(long time) {
        head().asksAt = time;
    }

    /** Notes that the store was asked, and answered that another holder has the key. */
    void refused(long asked, long answered) {
        Head current = head();
        current.refused = true;
        current.nothingNewBefore = answered + (answered - asked);
        current.outage = null;
        if (!woken) { // Else another thread may have handed it over since the request was sent.
            current.nodeHasItSince = null;
        }
    }

    /** Makes this ask now: a thread of this manager released the key, and perhaps put this node in line for it. */
    void wakeAfterRelease(@Nullable Long since) {
        keepSince(since);
        stayInLine();
        wake();
    }

    /**
     * Makes this look at that time, or sooner if it was about to: a thread of this manager released the key while other nodes
     * waited for it. If its wait ends first, it asks now.
     */
    void lookAfterRelease(@Nullable Long since, long time) {
        Long end = deadline;
        if (end == null || time - end > 0) {
            wakeAfterRelease(since);
            return;
        }
        stayInLine();
        if (time - head().asksAt < 0) {
            askAgainAt(time);
            unpark();
        }
    }

    Handoff handoff() {
        return handoff;
    }

    /** Goes on without what another thread was to deliver. */
    void dropHandoff() {
        handoff = new Handoff();
    }

    /** Notes since when this manager has had the key, because one of its threads hands it to this one. */
    void keepSince(@Nullable Long since) {
        head().nodeHasItSince = since;
    }

    /** Returns since when this manager has had the key without a break, given that the key was granted now. */
    long nodeHasItSince(long now) {
        Long since = head().nodeHasItSince;
        return since == null ? now : since;
    }

    /** Returns whether it asks only because some time has passed, with a place in line or without. */
    boolean polls() {
        Head current = head();
        return (current.inLine || current.refused) && !current.wokenToAsk;
    }

    /** Notes that the store failed; returns for how long it has done nothing else. */
    long storeFailed(StoreException failure, long now) {
        Head current = head();
        Outage before = current.outage;
        long since = before == null ? now : before.since;
        current.outage = new Outage(since, failure);
        return now - since;
    }

    /** Returns the last failure of the store if it has not answered since, for this head or the one before it. */
    @Nullable StoreException failure() {
        Head current = head;
        Outage outage = current == null ? null : current.outage;
        return outage == null ? null : outage.last;
    }

    /** Notes that the store may keep a place in line for this node; returns whether it may have done so before. */
    boolean stayInLine() {
        Head current = head();
        boolean before = current.inLine;
        current.inLine = true;
        return before;
    }

    boolean isInLine() {
        Head current = head;
        return current != null && current.inLine;
    }

    void wake() {
        woken = true;
        unpark();
    }

    /** Makes this look at its handoff. */
    void unpark() {
        LockSupport.unpark(thread);
    }

    /**
     * Returns whether it is time to ask the store. A wake-up is used up before the request is sent: one that comes in between is
     * seen next time, and not lost. If the request brings no answer, the next head asks at once.
     */
    boolean shouldAsk(long now, long deadline) {
        this.deadline = deadline;
        Head current = head;
        if (current == null) {
            return false;
        }
        current.wokenToAsk = woken && now - deadline < 0;
        if (current.wokenToAsk) {
            woken = false;
            current.asksAt = now;
            return true;
        }
        return current.asksAt - now <= 0 && current.asksAt - deadline <= 0;
    }

    /**
     * Returns whether to ask a last time, now that the wait is over. Not if the store fails: the answer could take long. Not if the last
     * answer came less than its own duration before the deadline: a short wait on a slow store would take twice as long.
     */
    boolean shouldAskOnceMore(long deadline) {
        Head current = head;
        return current != null && current.outage == null && deadline - current.nothingNewBefore > 0;
    }

    /** Parks until there is something to do, or the deadline, or for no reason at all. */
    void park(Ticker ticker, long deadline) {
        if (!woken) {
            Head current = head;
            long asksAt = current == null ? deadline : current.asksAt;
            ticker.parkUntil(this, asksAt - deadline < 0 ? asksAt : deadline);
        }
    }
}
