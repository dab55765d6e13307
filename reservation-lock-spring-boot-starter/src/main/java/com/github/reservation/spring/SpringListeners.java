// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * The listeners of a context and its parents, as they are when all singletons have been made. They receive events after the commit of
 * what these are about. So a listener that waits for a commit is called at once: without a transaction Spring would skip it.
 */
final class SpringListeners implements SmartInitializingSingleton {

    private static final Log LOG = LogFactory.getLog(SpringListeners.class);

    private final ApplicationContext context;
    private volatile List<SpringListener> listeners = List.of();

    SpringListeners(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public void afterSingletonsInstantiated() {
        find();
    }

    /**
     * Finds the listeners. Only to be called when all singletons have been made: what makes listeners of methods is a bean of Spring, and
     * these come first.
     *
     * @return them in the order in which Spring calls them: those that wait for a commit are the last ones
     */
    List<SpringListener> find() {
        List<SpringListener> found = Stream.<ApplicationContext>iterate(
                context, Objects::nonNull, ApplicationContext::getParent)
                .filter(AbstractApplicationContext.class::isInstance)
                .flatMap(one -> ((AbstractApplicationContext) one).getApplicationListeners().stream())
                .map(SpringListener::of)
                .sorted(Comparator.comparing(SpringListener::waitsForCommit)
                        .thenComparing(SpringListener::listener, AnnotationAwareOrderComparator.INSTANCE))
                .toList();
        listeners = found;
        return found;
    }

    /**
     * Has Spring publish an event. If the thread has no transaction, calls those that Spring skips. None of these misses the event because
     * another one fails, as after a commit.
     */
    void publish(Object event) {
        boolean inTransaction = SpringListener.isInTransaction();
        try {
            context.publishEvent(event);
        } finally {
            if (!inTransaction) {
                listeners.stream()
                        .filter(listener -> listener.waitsForCommit() && listener.isSkipped())
                        .forEach(listener -> deliverOrLog(event, listener));
            }
        }
    }

    private void deliverOrLog(Object event, SpringListener listener) {
        try {
            deliver(event, List.of(listener));
        } catch (RuntimeException e) {
            LOG.error(listener + " failed with a committed event, which it does not get again", e);
        }
    }

    /**
     * Calls those listeners that receive the event, one after another: Spring itself would hide an exception if its event multicaster
     * has an error handler or threads of its own.
     *
     * @return those that it called
     */
    List<SpringListener> deliver(Object event, List<SpringListener> chosen) {
        ApplicationEvent delivered =
                event instanceof ApplicationEvent own ? own : new PayloadApplicationEvent<>(context, event);
        ResolvableType type = ResolvableType.forInstance(delivered);
        List<SpringListener> receivers = chosen.stream().filter(listener -> listener.receives(type)).toList();
        for (SpringListener receiver : receivers) {
            receiver.call(delivered);
        }
        return receivers;
    }
}
