// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Refuses listeners that would miss the events of the outbox: it delivers without a transaction, and Spring skips transactional listeners
 * then, unless they say otherwise.
 *
 * @param types the types of events that the outbox passes on to Spring
 */
record TransactionalListeners(ConfigurableListableBeanFactory beans, List<Class<?>> types)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, TransactionalEventListener.class)) {
                listeners(type).forEach(this::requireFallback);
            }
        }
    }

    private static Map<Method, TransactionalEventListener> listeners(Class<?> type) {
        return MethodIntrospector.selectMethods(
                type,
                (MetadataLookup<TransactionalEventListener>) method -> AnnotatedElementUtils
                        .findMergedAnnotation(method, TransactionalEventListener.class));
    }

    private void requireFallback(Method method, TransactionalEventListener listener) {
        Class<?>[] events = listener.classes().length == 0 ? method.getParameterTypes() : listener.classes();
        if (!listener.fallbackExecution() && Arrays.stream(events).anyMatch(this::isDelivered)) {
            throw new ReservationConfigurationException(
                    method.getDeclaringClass().getName() + '.' + method.getName()
                            + " is a @TransactionalEventListener, and would not receive the events of the outbox: they are"
                            + " delivered after the commit, without a transaction.",
                    "Make it an @EventListener, or set fallbackExecution = true.");
        }
    }

    private boolean isDelivered(Class<?> event) {
        return types.stream().anyMatch(type -> type.isAssignableFrom(event) || event.isAssignableFrom(type));
    }
}
