// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationManager;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Holds the lock of a {@link Reserved} method while it runs. Advice is made before most beans, so it looks for the others when it is
 * first called.
 */
final class ReservedInterceptor implements MethodInterceptor {

    private final ReservedMethods methods;
    private final ObjectProvider<ReservationManagers> managers;
    private final ObjectProvider<ReservationProperties> properties;

    ReservedInterceptor(
            ReservedMethods methods,
            ObjectProvider<ReservationManagers> managers,
            ObjectProvider<ReservationProperties> properties) {
        this.methods = methods;
        this.managers = managers;
        this.properties = properties;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "target");
        Optional<ReservedMethod> found = methods.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (found.isEmpty()) {
            return invocation.proceed();
        }
        ReservedMethod method = found.get();
        requireNoLock(method, invocation);
        LockRequest request = request(method, target, invocation);
        CallLock lock = method.needsHandle() ? request.acquireForCall() : request.acquireForThread();
        if (lock == null) {
            return request.refuse(method);
        }
        supplyLock(method, lock, invocation);
        return new ReservedCall(method, invocation, lock).proceed();
    }

    private LockRequest request(ReservedMethod method, Object target, MethodInvocation invocation) {
        ReservationManager manager = managers.getObject().get(method.domain());
        return new LockRequest(
                manager,
                method.key().identifier(target, invocation.getArguments()),
                method.maxWait(properties.getObject().reserved().maxWait()),
                method.lease().orElse(manager.getLeaseTime()));
    }

    private static void requireNoLock(ReservedMethod method, MethodInvocation invocation) {
        if (method.heldLock().isPresent() && invocation.getArguments()[method.heldLock().getAsInt()] != null) {
            throw new IllegalArgumentException("The argument of type HeldLock of " + invocation.getMethod()
                    + " must be null: @Reserved replaces it with the lock of the call");
        }
    }

    private static void supplyLock(ReservedMethod method, CallLock lock, MethodInvocation invocation) {
        if (method.heldLock().isPresent() && lock instanceof CallLock.OfCall ofCall) {
            invocation.getArguments()[method.heldLock().getAsInt()] = ofCall.handle();
        }
    }
}
