// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * A listener that Spring skips if an event is published without a transaction: it is transactional, and does not say otherwise.
 *
 * @param events the types of its events
 */
record SkippedListener(Method method, List<Class<?>> events) {

    /** Finds all of them. */
    static Stream<SkippedListener> in(ConfigurableListableBeanFactory beans) {
        return BeanClasses.of(beans)
                .filter(type -> AnnotationUtils.isCandidateClass(type, TransactionalEventListener.class))
                .flatMap(type -> annotated(type).entrySet().stream())
                .filter(found -> !found.getValue().fallbackExecution())
                .map(found -> of(found.getKey(), found.getValue()))
                .distinct();
    }

    private static Map<Method, TransactionalEventListener> annotated(Class<?> type) {
        return MethodIntrospector.selectMethods(
                type,
                (MetadataLookup<TransactionalEventListener>) method -> AnnotatedElementUtils
                        .findMergedAnnotation(method, TransactionalEventListener.class));
    }

    private static SkippedListener of(Method method, TransactionalEventListener annotation) {
        return new SkippedListener(
                method,
                List.of(annotation.classes().length == 0 ? method.getParameterTypes() : annotation.classes()));
    }

    boolean receives(Class<?> event) {
        return events.stream().anyMatch(type -> type.isAssignableFrom(event));
    }

    /** Returns whether it receives some events of the type. */
    boolean receivesSome(Class<?> type) {
        return receives(type) || events.stream().anyMatch(type::isAssignableFrom);
    }

    /** Returns the name of the method, for messages. */
    String name() {
        return method.getDeclaringClass().getName() + '.' + method.getName();
    }
}
