// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method under a lock: only one caller in the whole cluster at a time for each key.
 *
 * {@snippet file="com/github/reservation/spring/demo/Shipping.java" region="reserved"}
 *
 * <p><b>Transactions.</b> The lock is acquired before a transaction of the same method begins and released after it has ended, so that
 * the next holder sees what this one has committed. If the caller has a transaction already, the lock is held until that transaction
 * has ended; the transaction is rolled back if the lock was lost before the commit.
 *
 * <p><b>Blocking.</b> The caller waits for {@link #maxWait()}. If the lock is still held then, {@link #onBusy()} decides. If the store
 * does not answer, the call throws {@link com.github.reservation.ReservationException} and the method does not run, also with
 * {@link OnBusy#SKIP}.
 *
 * <p><b>Expiry.</b> The lease is renewed automatically only if {@code reservation.auto-renew.max-hold} is set, and not for longer than
 * that. If the method takes longer, or without the property longer than its lease, the call throws
 * {@link com.github.reservation.ReservationExpiredException} after the method has returned, and another caller may have run at the
 * same time. Use {@link CurrentReservation} to check or renew the lease, and to get the fencing token.
 *
 * <p><b>Futures.</b> If the method returns a {@link java.util.concurrent.CompletableFuture} or a
 * {@link java.util.concurrent.CompletionStage}, the lock is held until that completes. The caller gets a future that completes after
 * the release, and fails with {@link com.github.reservation.ReservationExpiredException} if the lock was lost. Cancelling that
 * future does not release the lock: the work may go on.
 *
 * <p><b>Parameter.</b> A parameter of type {@link com.github.reservation.lease.HeldLock} receives the lock, for any thread of the work.
 * Callers pass null.
 *
 * {@snippet file="com/github/reservation/spring/demo/Carrier.java" region="future"}
 *
 * <p>The lock of a method with such a parameter or result belongs to no thread. So it is not reentrant: a call from inside another method
 * with the same key finds the lock busy. The locks of all other methods belong to the calling thread, which may call again.
 *
 * <p><b>Limits.</b> As with all annotations of Spring that need a proxy, a call from the same object ({@code this.ship(…)}) does not
 * lock. The application does not start if the method or its class is final, if the method is private or static, if it returns a
 * {@link java.util.concurrent.Future} of another kind, a stream, a reactive type or an asynchronous result of Spring MVC, if it is a
 * Kotlin coroutine, if it has two parameters of type {@code HeldLock}, or if an attribute is wrong.
 *
 * <p>It can be used as a meta-annotation, with {@link org.springframework.core.annotation.AliasFor}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(ReservedReflectiveProcessor.class)
public @interface Reserved {

    /** Returns the domain of the lock. May contain placeholders: <code>${…}</code>. */
    String domain();

    /**
     * Returns an expression of the Spring Expression Language for the identifier of the lock. {@code #name} is the parameter of that
     * name; so is {@code #p0} for the first one. A constant needs quotes: {@code "'nightly-report'"}. The value must not be null, and
     * must have a {@code toString()} that returns the same on every node.
     */
    String key();

    /**
     * Returns the lease, for example {@code 30s} or {@code PT30S}. May contain placeholders. Default: {@code reservation.lease-time}.
     */
    String lease() default "";

    /**
     * Returns how long to wait for the lock, for example {@code 500ms}; {@code 0s} means one attempt. May contain placeholders.
     * Default: {@code reservation.reserved.max-wait}, and one attempt with {@link OnBusy#SKIP}.
     */
    String maxWait() default "";

    /** Returns what to do if the wait ends and the lock is still held. Default: throw. */
    OnBusy onBusy() default OnBusy.THROW;
}
