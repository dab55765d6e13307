// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * Holds the lock of a {@link Reserved} method while it runs. Advice is made before most beans, so it looks for the others when it is
 * first called.
 */
final class ReservedInterceptor implements MethodInterceptor {

    private static final Log LOG = LogFactory.getLog(ReservedInterceptor.class);

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            ReservedInterceptor.class.getClassLoader());

    private final ReservedMethods methods;
    private final ObjectProvider<ReservationManagers> managers;
    private final ObjectProvider<ReservationProperties> properties;
    private final ObjectProvider<ObservationRegistry> observations;

    ReservedInterceptor(
            ReservedMethods methods,
            ObjectProvider<ReservationManagers> managers,
            ObjectProvider<ReservationProperties> properties,
            ObjectProvider<ObservationRegistry> observations) {
        this.methods = methods;
        this.managers = managers;
        this.properties = properties;
        this.observations = observations;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "target");
        Optional<ReservedMethod> found = methods.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (found.isEmpty()) {
            return invocation.proceed();
        }
        ReservedMethod method = found.get();
        ReservationManager manager = managers.getObject().get(method.domain());
        Reservation reservation =
                manager.getReservation(method.key().identifier(target, invocation.getArguments()));
        Duration wait = method.maxWait(properties.getObject().reserved().maxWait());
        Duration lease = method.lease().orElse(manager.getLeaseTime());
        boolean acquired = new ObservedAcquire(
                observations.getIfUnique(() -> ObservationRegistry.NOOP), manager.getDomain())
                .call(() -> acquire(manager, reservation, wait, lease));
        return acquired
                ? proceedWith(reservation, manager, invocation)
                : refuse(method, manager.getDomain(), reservation.getIdentifier(), wait);
    }

    private static boolean acquire(ReservationManager manager, Reservation reservation, Duration wait, Duration lease) {
        try {
            if (reservation.tryLock(wait, lease)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReservationAcquisitionException(
                    manager.getDomain(),
                    reservation.getIdentifier(),
                    "Interrupted while waiting for " + reservation.getReservationKey(),
                    e);
        }
        // Throws if the store does not answer: an outage must not look like a busy lock.
        boolean locked = reservation.isLocked();
        LOG.debug(reservation.getReservationKey() + " is busy" + (locked ? "" : ", or it is another node's turn"));
        return false;
    }

    private static @Nullable Object refuse(ReservedMethod method, String domain, String identifier, Duration wait) {
        return switch (method.onBusy()) {
            case THROW -> throw new ReservationBusyException(domain, identifier, wait);
            case SKIP -> method.skipped();
        };
    }

    private static @Nullable Object proceedWith(
            Reservation held, ReservationManager manager, MethodInvocation invocation) throws Throwable {
        if (HAS_TRANSACTIONS && TransactionEnd.isAhead()) {
            TransactionEnd.unlockThen(held, manager.getDomain());
            return proceed(held, invocation);
        }
        Object result;
        try {
            result = proceed(held, invocation);
        } catch (Throwable failure) {
            unlockAfter(failure, held);
            throw failure;
        }
        held.unlock();
        return result;
    }

    private static @Nullable Object proceed(Reservation held, MethodInvocation invocation) throws Throwable {
        Reservation before = CurrentReservation.replace(held);
        try {
            return invocation.proceed();
        } finally {
            CurrentReservation.replace(before);
        }
    }

    /** Unlocks without hiding the failure of the method. */
    private static void unlockAfter(Throwable failure, Reservation held) {
        try {
            held.unlock();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
