// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** Which methods can be reserved, by what they return. */
final class ReturnTypes {

    private static final Set<Class<?>> DONE_LATER =
            Set.of(Future.class, CompletionStage.class, Flow.Publisher.class, BaseStream.class);

    /** They may be missing from the class path. */
    private static final Set<String> DONE_LATER_BY_NAME = Set.of(
            "org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job",
            "kotlin.sequences.Sequence");

    /** The last parameter of a coroutine, as Java sees it. */
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private ReturnTypes() {}

    /**
     * Refuses methods that return before their work is done: the lock would be released too early, and by a thread that does not
     * hold it.
     *
     * @throws IllegalArgumentException if it is one
     */
    static void requireDoneOnReturn(Method method) {
        if (isCoroutine(method)) {
            throw new IllegalArgumentException(
                    "the method is a coroutine, which can change its thread while a lock belongs"
                            + " to one. Lock inside, or use manager.lockProvider()");
        }
        Class<?> type = method.getReturnType();
        if (isDoneLater(type)) {
            throw new IllegalArgumentException(
                    "the method returns a " + type.getSimpleName() + ", and its work goes on after"
                            + " it has returned, without the lock. Reserve the method that does the work, or use"
                            + " manager.lockProvider()");
        }
    }

    private static boolean isCoroutine(Method method) {
        int parameters = method.getParameterCount();
        return parameters > 0 && method.getParameterTypes()[parameters - 1].getName().equals(CONTINUATION);
    }

    private static boolean isDoneLater(Class<?> type) {
        return DONE_LATER.stream().anyMatch(later -> later.isAssignableFrom(type))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
                || DONE_LATER_BY_NAME.stream().anyMatch(later -> isA(type, later));
    }

    private static boolean isA(Class<?> type, String name) {
        return type.getName().equals(name)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch(
                        implemented -> implemented.getName().equals(name));
    }

    /**
     * Refuses to skip methods that must return a value.
     *
     * @throws IllegalArgumentException if it is one
     */
    static void requireSkippable(Method method, OnBusy onBusy) {
        Class<?> type = method.getReturnType();
        if (onBusy == OnBusy.SKIP && type.isPrimitive() && type != void.class) {
            throw new IllegalArgumentException(
                    "onBusy is SKIP, but a call that is skipped has no " + type + " to return."
                            + " Return void, an Optional or an object");
        }
    }
}
