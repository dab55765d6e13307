// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.Baton.Passed;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.util.Optional;

/**
 * Passes a key from the thread that unlocks to the next one of the same manager, in one step of the store. A release and an
 * acquisition would be two, and others could slip in between.
 */
final class Relay {

    /** What became of it. */
    enum Result {
        /** The lease has ended, and the next thread has the key. */
        PASSED,
        /** Nothing has changed: the lease is still to be released. */
        NOT_PASSED,
        /** Nobody knows. The lease is still to be released, and the next thread looks whether it has the key. */
        IN_DOUBT
    }

    private final Core core;

    /** When the last question was sent; it may be asked again. */
    private Reading sent = new Reading(0, 0);

    Relay(Core core) {
        this.core = core;
    }

    /**
     * Passes the key on if a thread of this manager waits for it; with {@code mayStay} also if other nodes do. Throws if there is
     * no store to be reached: then a release would not reach it either.
     */
    Result pass(Hold hold, boolean mayStay) throws StoreException {
        if (!(core.store() instanceof QueueingStore store)) {
            return Result.NOT_PASSED;
        }
        Waiter next = core.queue().head(hold.lease.key());
        Baton baton = next == null ? null : next.baton();
        AcquireRequest request = baton == null ? null : baton.reach();
        if (next == null || baton == null || request == null) {
            return Result.NOT_PASSED;
        }
        boolean brought = false;
        try {
            Optional<Granted> granted = core.calls().answer(() -> {
                sent = Reading.of(core.ticker());
                return store.pass(hold.lease, request, mayStay);
            });
            if (granted.isPresent()) {
                next.passedOn(hold.nodeHasItSince);
                bring(baton, granted.get(), request);
            } else {
                baton.bringNothing();
            }
            brought = true;
            return granted.isPresent() ? Result.PASSED : Result.NOT_PASSED;
        } catch (StoreException e) {
            if (e.kind() == Kind.OUTCOME_UNKNOWN) {
                return Result.IN_DOUBT;
            }
            baton.bringNothing();
            brought = true;
            if (e.kind() == Kind.CONTENTION) {
                return Result.NOT_PASSED;
            }
            throw e;
        } finally {
            if (!brought) {
                bringDoubt(baton, request);
            }
            next.unpark();
        }
    }

    private void bring(Baton baton, Granted granted, AcquireRequest request) {
        if (!baton.bring(new Passed.Key(granted, sent))) {
            // It has gone; the one behind it is called when the key is free.
            core.cleaner().release(request.lease(), endOf(request));
        }
    }

    private void bringDoubt(Baton baton, AcquireRequest request) {
        if (!baton.bring(new Passed.Doubt(sent))) {
            core.cleaner().releaseInDoubt(request.lease(), endOf(request));
        }
    }

    private long endOf(AcquireRequest request) {
        return core.ticker().nanos() + LeaseTimes.nanos(request.leaseTime());
    }
}
