// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Matches {@link Reserved} methods. It reads all methods of a class at once, because Spring stops at the first match. */
final class ReservedPointcut extends StaticMethodMatcherPointcut {

    private final ReservedMethods methods;

    ReservedPointcut(ReservedMethods methods) {
        this.methods = methods;
        setClassFilter(type -> !methods.of(type).isEmpty());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return methods.find(method, targetClass).isPresent();
    }
}
