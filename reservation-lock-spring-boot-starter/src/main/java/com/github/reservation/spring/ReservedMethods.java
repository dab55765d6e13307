// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * The {@link Reserved} methods of classes. A class is read when its first bean is made, or when all other beans are, so that a wrong
 * annotation stops the start of the application.
 */
final class ReservedMethods {

    private final ConfigurableBeanFactory beans;
    private final Map<Class<?>, Map<Method, ReservedMethod>> known = new ConcurrentHashMap<>();

    ReservedMethods(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns the reserved methods of a class, by the method that its objects execute.
     *
     * @throws ReservationConfigurationException if an annotation is wrong
     */
    Map<Method, ReservedMethod> of(Class<?> type) {
        Class<?> userType = ClassUtils.getUserClass(type);
        Map<Method, ReservedMethod> methods = known.get(userType);
        if (methods == null) {
            methods = read(userType);
            known.put(userType, methods);
        }
        return methods;
    }

    /** Returns the method that a call on an object of that class executes, if it is reserved. */
    Optional<ReservedMethod> find(Method called, Class<?> type) {
        Map<Method, ReservedMethod> methods = of(type);
        if (methods.isEmpty()) {
            return Optional.empty();
        }
        ReservedMethod method = methods.get(AopUtils.getMostSpecificMethod(called, ClassUtils.getUserClass(type)));
        // A class that is an interface proxy itself has no methods of its own.
        return Optional.ofNullable(method == null ? methods.get(called) : method);
    }

    /** Returns the domains of all methods that are known so far. */
    Set<String> domains() {
        Set<String> domains = new TreeSet<>();
        known.values().forEach(methods -> methods.values().forEach(method -> domains.add(method.domain())));
        return domains;
    }

    private Map<Method, ReservedMethod> read(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Reserved.class)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(type, (MetadataLookup<ReservedMethod>) method -> {
            Reserved annotation = AnnotatedElementUtils.findMergedAnnotation(method, Reserved.class);
            return annotation == null ? null : read(annotation, method, type);
        });
    }

    private ReservedMethod read(Reserved annotation, Method method, Class<?> type) {
        try {
            requireProxyable(method, type);
            Returned returned = ReturnTypes.of(method, type);
            ReturnTypes.requireSkippable(method, annotation.onBusy());
            return new ReservedMethod(
                    requireDomain(resolve(annotation.domain())),
                    ReservedKey.parse(requireText("key", annotation.key()), method, type, beans),
                    duration("lease", annotation.lease(), Duration.ofMillis(1)),
                    duration("maxWait", annotation.maxWait(), Duration.ZERO),
                    annotation.onBusy(),
                    returned,
                    heldLock(method));
        } catch (IllegalArgumentException e) {
            throw new ReservationConfigurationException(
                    "@Reserved on " + type.getName() + '.' + method.getName() + " is wrong: " + e.getMessage() + '.',
                    "Correct the annotation or the method.",
                    e);
        }
    }

    private static void requireProxyable(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        boolean unreachable = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
        boolean isFinal = Modifier.isFinal(modifiers) || Modifier.isFinal(type.getModifiers());
        if (unreachable || (isFinal && !Proxy.isProxyClass(type))) {
            throw new IllegalArgumentException("the method is private, static or final, or its class is final. Spring"
                    + " cannot put a proxy in front of it, so it would run without the lock");
        }
    }

    private static OptionalInt heldLock(Method method) {
        int[] positions = IntStream.range(0, method.getParameterCount())
                .filter(position -> method.getParameterTypes()[position] == HeldLock.class)
                .toArray();
        if (positions.length > 1) {
            throw new IllegalArgumentException("the method has " + positions.length
                    + " parameters of type HeldLock, but a call has one lock. Keep one of them");
        }
        return Arrays.stream(positions).findFirst();
    }

    private static String requireDomain(String domain) {
        ReservationManager.inMemory().domain(requireText("domain", domain)); // Throws if it breaks the rules.
        return domain;
    }

    private static String requireText(String attribute, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(attribute + " must not be empty");
        }
        return value;
    }

    private Optional<Duration> duration(String attribute, String text, Duration least) {
        String resolved = resolve(text);
        if (resolved.isBlank()) {
            return Optional.empty();
        }
        Duration duration = parse(attribute, resolved);
        if (duration.compareTo(least) < 0) {
            throw new IllegalArgumentException(attribute + " must be at least " + least + ", but is " + duration);
        }
        return Optional.of(duration);
    }

    private static Duration parse(String attribute, String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " must be a duration like 30s or PT30S, but is \"" + text + '"', e);
        }
    }

    private String resolve(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
