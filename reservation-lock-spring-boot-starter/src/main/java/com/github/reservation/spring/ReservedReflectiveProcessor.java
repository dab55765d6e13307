// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/** Keeps in a native image what the keys of {@link Reserved} methods may call: the public methods of their parameters. */
final class ReservedReflectiveProcessor implements ReflectiveProcessor {

    /** Creates a processor; Spring does so by reflection. */
    ReservedReflectiveProcessor() {}

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            for (Class<?> type : method.getParameterTypes()) {
                if (!type.isPrimitive()) {
                    hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
                }
            }
        }
    }
}
