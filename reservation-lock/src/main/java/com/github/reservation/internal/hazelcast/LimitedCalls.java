// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Calls Hazelcast on the thread of the caller, and ends calls that take too long: by themselves they can block for two minutes.
 * Hazelcast offers no way to end a call but an interrupt. A call that was ended may still be carried out.
 */
final class LimitedCalls {

    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private final Clockwork.Alarm alarm = new Clockwork.Alarm(Duration.ofMillis(100), woken -> endOverdue());
    private final BooleanSupplier offline;

    /** Makes no call while there is no connection, as {@code offline} says. */
    LimitedCalls(BooleanSupplier offline) {
        this.offline = offline;
    }

    /** Makes the call, until the deadline at most. Leaves the interrupt flag up if the caller was interrupted. */
    <T> T run(long deadline, Callable<T> action) throws StoreException {
        if (deadline - System.nanoTime() <= 0) {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Hazelcast took too long to answer");
        }
        Call call = new Call(deadline);
        running.add(call);
        try {
            alarm.set(deadline);
            if (offline.getAsBoolean()) {
                throw new StoreException(Kind.UNAVAILABLE, "There is no connection to the Hazelcast cluster");
            }
            return action.call();
        } catch (Exception e) {
            throw call.isOverdue()
                    ? new StoreException(Kind.OUTCOME_UNKNOWN, "Hazelcast took too long to answer", e)
                    : Failures.of(e);
        } finally {
            running.remove(call);
            call.end();
        }
    }

    private long endOverdue() {
        return Clockwork.runDue(running, call -> call.deadline, Call::interrupt);
    }

    /** A call of the current thread. */
    private static final class Call {

        private static final int RUNNING = 0;
        private static final int INTERRUPTING = 1;
        private static final int INTERRUPTED = 2;
        private static final int ENDED = 3;

        private final Thread thread = Thread.currentThread();
        private final long deadline;
        private final AtomicInteger state = new AtomicInteger(RUNNING);

        Call(long deadline) {
            this.deadline = deadline;
        }

        void interrupt() {
            if (state.compareAndSet(RUNNING, INTERRUPTING)) {
                thread.interrupt();
                state.set(INTERRUPTED);
            }
        }

        boolean isOverdue() {
            return state.get() != RUNNING;
        }

        /** Ends the call. Our own interrupt must not outlive it. */
        void end() {
            if (!state.compareAndSet(RUNNING, ENDED)) {
                while (state.get() != INTERRUPTED) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
        }
    }
}
