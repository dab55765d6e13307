// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Runs a {@link Reserved} method under its lock, and releases the lock when the work and the caller's transaction are over. */
record ReservedCall(ReservedMethod method, MethodInvocation invocation, CallLock lock) {

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            ReservedCall.class.getClassLoader());

    @Nullable Object proceed() throws Throwable {
        if (HAS_TRANSACTIONS && TransactionEnd.isAhead()) {
            CompletableFuture<@Nullable Void> workEnd = new CompletableFuture<>();
            TransactionEnd.releaseThen(lock, workEnd);
            return proceedThen(() -> {
                try {
                    lock.requireHeld();
                } finally {
                    workEnd.complete(null);
                }
            });
        }
        return proceedThen(lock::release);
    }

    /** Runs the method, then the action when its work is over, without hiding a failure of the method. */
    @SuppressWarnings("FutureReturnValueIgnored") // The caller gets it.
    private @Nullable Object proceedThen(Runnable end) throws Throwable {
        Object result;
        try {
            result = proceedAsCurrent();
            if (result instanceof CompletionStage<?> work && method.returned() == Returned.FUTURE) {
                return HeldFuture.of(work, end);
            }
            if (result != null && method.returned() == Returned.OBJECT) {
                ReturnTypes.requireDone(invocation.getMethod(), result);
            }
        } catch (Throwable failure) {
            endAfter(failure, end);
            throw failure;
        }
        end.run();
        return result;
    }

    private @Nullable Object proceedAsCurrent() throws Throwable {
        CallLock before = CurrentReservation.replace(lock);
        try {
            return invocation.proceed();
        } finally {
            CurrentReservation.replace(before);
        }
    }

    private static void endAfter(Throwable failure, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
