// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The names of parameters as compiled, unless {@link P} sets another one. */
final class ParameterNames implements ParameterNameDiscoverer {

    static final ParameterNames INSTANCE = new ParameterNames();

    private final ParameterNameDiscoverer compiled = new DefaultParameterNameDiscoverer();

    private ParameterNames() {}

    @Override
    public @Nullable String @Nullable [] getParameterNames(Method method) {
        @Nullable String @Nullable [] found = compiled.getParameterNames(method);
        @Nullable String[] names = found == null ? new @Nullable String[method.getParameterCount()] : found.clone();
        for (int i = 0; i < names.length; i++) {
            names[i] = annotated(method, i).orElse(names[i]);
        }
        return names;
    }

    /** Returns the name in the annotation, which may be at the interface that the class implements. */
    private static Optional<String> annotated(Method method, int parameter) {
        return Stream.concat(Stream.of(method), declarations(method))
                .map(declaration -> declaration.getParameters()[parameter].getAnnotation(P.class))
                .filter(Objects::nonNull)
                .map(P::value)
                .findFirst();
    }

    private static Stream<Method> declarations(Method method) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(method.getDeclaringClass()))
                .map(type -> ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes()))
                .filter(Objects::nonNull);
    }

    @Override
    public @Nullable String @Nullable [] getParameterNames(Constructor<?> constructor) {
        return compiled.getParameterNames(constructor);
    }
}
