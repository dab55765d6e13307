// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/** Which methods can be reserved, by what they return. */
final class ReturnTypes {

    private static final Set<Class<?>> DONE_LATER =
            Set.of(Future.class, CompletionStage.class, Callable.class, Flow.Publisher.class, BaseStream.class);

    /** What {@link HeldFuture} can stand in for. */
    private static final Set<Class<?>> FUTURES = Set.of(CompletableFuture.class, CompletionStage.class);

    /** They may be missing from the class path. */
    private static final Set<String> DONE_LATER_BY_NAME = Set.of(
            "org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job",
            "kotlin.sequences.Sequence",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** The last parameter of a coroutine, as Java sees it. */
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private ReturnTypes() {}

    /**
     * Returns what the method of a bean returns. Refuses methods that return before their work is done, unless they tell when it is: the lock
     * would be released too early.
     *
     * @param bean the class of the bean: it may say what a type variable of a superclass is
     * @throws IllegalArgumentException if it is one
     */
    static Returned of(Method method, Class<?> bean) {
        if (isCoroutine(method)) {
            throw new IllegalArgumentException(
                    "the method is a coroutine, which can change its thread while a lock belongs"
                            + " to one. Lock inside, with a handle of manager.acquire");
        }
        ResolvableType returned = ResolvableType.forMethodReturnType(method, bean);
        Class<?> type = returned.toClass();
        boolean isFuture = FUTURES.contains(type);
        Optional<Class<?>> doneLater = !isFuture && isDoneLater(type)
                ? Optional.of(type)
                : doneLaterWithin(returned, new HashSet<>());
        if (doneLater.isPresent()) {
            throw new IllegalArgumentException("the method returns " + doneLater(doneLater.get())
                    + " Return a CompletableFuture or a CompletionStage, reserve the method that does the work, or use"
                    + " a handle of manager.acquire");
        }
        if (isFuture) {
            return Returned.FUTURE;
        }
        return type == Optional.class ? Returned.OPTIONAL : type == Object.class ? Returned.OBJECT : Returned.VALUE;
    }

    /**
     * Refuses a result whose work is not done, of a method whose signature does not show that.
     *
     * @throws IllegalStateException if it is one
     */
    static void requireDone(Method method, Object result) {
        if (isDoneLater(result.getClass())) {
            throw new IllegalStateException(
                    "@Reserved on " + method.getDeclaringClass().getName() + '.' + method.getName()
                            + " is wrong: the method returned " + doneLater(result.getClass())
                            + " Declare CompletableFuture or CompletionStage as the type of the result");
        }
    }

    private static String doneLater(Class<?> type) {
        return "a " + type.getSimpleName() + ", and its work goes on after it has returned, without the lock.";
    }

    /** Returns whether a method returns before its work is done. */
    static boolean isDoneLater(Method method) {
        return isCoroutine(method) || isDoneLater(method.getReturnType());
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

    /** Looks at the type arguments, and at theirs: a future in an Optional is not awaited either. */
    private static Optional<Class<?>> doneLaterWithin(ResolvableType type, Set<Type> seen) {
        if (!seen.add(type.getType())) {
            return Optional.empty(); // The bound of a type variable may name the variable again.
        }
        return Arrays.stream(type.getGenerics())
                .map(argument -> isDoneLater(argument.toClass())
                        ? Optional.<Class<?>>of(argument.toClass())
                        : doneLaterWithin(argument, seen))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static boolean isA(Class<?> type, String name) {
        return type.getName().equals(name)
                || Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                        .anyMatch(above -> isA(above, name));
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
