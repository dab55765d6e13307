// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a caller of a {@link Reserved} method gets in place of the method's own future: it completes after that one, when the lock is
 * released. To cancel or complete this future does not end the work, so it does not release the lock.
 */
final class HeldFuture<T> extends CompletableFuture<T> {

    private HeldFuture() {}

    /**
     * Runs the action when the work is done, and completes after that. A release calls the store, and the thread that completes the
     * work may be one that must not block; the caller may, because it has waited for the lock.
     *
     * @param end releases the lock; throws if it was lost
     */
    static <T> HeldFuture<T> of(CompletionStage<T> work, Runnable end) {
        HeldFuture<T> future = new HeldFuture<>();
        Thread caller = Thread.currentThread();
        work.whenComplete((value, failure) -> {
            Runnable finish = () -> future.finish(value, failure, end);
            if (caller.equals(Thread.currentThread())) {
                finish.run();
            } else {
                Thread.ofVirtual().name("reservation-reserved-release").start(finish);
            }
        });
        return future;
    }

    private void finish(T value, @Nullable Throwable failure, Runnable end) {
        Throwable outcome = failure;
        try {
            end.run();
        } catch (Throwable e) { // Nobody else would complete the future.
            if (failure == null) {
                outcome = e;
            } else {
                failure.addSuppressed(e);
            }
        }
        if (outcome == null) {
            complete(value);
        } else {
            completeExceptionally(outcome);
        }
    }
}
