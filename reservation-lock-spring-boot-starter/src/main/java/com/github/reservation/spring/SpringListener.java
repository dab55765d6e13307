// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalApplicationListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * A listener of Spring.
 *
 * @param method the {@code @EventListener} method that it calls; null if it is something else
 * @param annotation that of the method, with what annotations on it say; also of a {@code @TransactionalEventListener}
 */
record SpringListener(
        ApplicationListener<ApplicationEvent> listener, @Nullable Method method, @Nullable EventListener annotation) {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.event.TransactionalApplicationListener",
            SpringListener.class.getClassLoader());

    private static final Tolerant TOLERANT = new Tolerant();

    @SuppressWarnings("unchecked") // It is only called with events that it receives.
    static SpringListener of(ApplicationListener<?> listener) {
        Method method = listener instanceof ApplicationListenerMethodAdapter adapter ? adapter.getTargetMethod() : null;
        return new SpringListener(
                (ApplicationListener<ApplicationEvent>) listener,
                method,
                method == null ? null : AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class));
    }

    /** Returns whether this thread has a transaction, and listeners that wait for its end. */
    static boolean isInTransaction() {
        return TRANSACTIONS && Transactions.isActive();
    }

    /** Returns the id that the annotation gives to the method. */
    Optional<String> id() {
        return Optional.ofNullable(annotation).map(EventListener::id).filter(id -> !id.isEmpty());
    }

    /** Returns the types that the method names and that may be types of committed events; not what Spring itself publishes. */
    Set<Class<?>> types() {
        if (method == null || annotation == null || !isCalled()) {
            return Set.of();
        }
        return declared(method, annotation)
                .map(SpringListener::withoutWrapper)
                .filter(type -> type != Object.class && !ApplicationEvent.class.isAssignableFrom(type))
                .collect(Collectors.toSet());
    }

    private static Stream<ResolvableType> declared(Method method, EventListener annotation) {
        return annotation.classes().length == 0
                ? Stream.of(ResolvableType.forMethodParameter(method, 0))
                : Arrays.stream(annotation.classes()).map(ResolvableType::forClass);
    }

    private static Class<?> withoutWrapper(ResolvableType type) {
        return PayloadApplicationEvent.class.isAssignableFrom(type.toClass())
                ? type.as(PayloadApplicationEvent.class).getGeneric().toClass()
                : type.toClass();
    }

    boolean receives(ResolvableType event) {
        GenericApplicationListener asked = listener instanceof GenericApplicationListener generic
                ? generic
                : new GenericApplicationListenerAdapter(listener);
        return asked.supportsEventType(event);
    }

    /** Returns whether it wants to be called after the commit of the publisher's transaction. */
    boolean waitsForCommit() {
        return TRANSACTIONS && Transactions.isAfterCommit(listener);
    }

    /** Returns whether Spring skips it if the publisher has no transaction. */
    boolean isSkipped() {
        return annotation == null ? waitsForCommit() : !annotation.defaultExecution();
    }

    /** Returns whether the method goes on after it has returned, so that nobody sees whether it fails. */
    boolean goesOn() {
        return method != null
                && (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class)
                        || ReturnTypes.isDoneLater(method));
    }

    /** Returns whether {@link #call} calls it: not if it wants to be called before a commit or after a rollback. */
    private boolean isCalled() {
        return waitsForCommit() || !isSkipped();
    }

    /** Calls it with a committed event. */
    void call(ApplicationEvent event) {
        ApplicationListener<ApplicationEvent> called =
                waitsForCommit() ? committed -> Transactions.process(listener, committed) : listener;
        if (method == null) {
            TOLERANT.invokeListener(called, event);
        } else {
            called.onApplicationEvent(event);
        }
    }

    /** Returns the name of the method, for messages. */
    @Override
    public String toString() {
        return method == null ? listener.toString() : ClassUtils.getQualifiedMethodName(method);
    }

    /** Does what Spring does: a lambda does not say which events it takes, and so may refuse one with a {@link ClassCastException}. */
    private static final class Tolerant extends SimpleApplicationEventMulticaster {

        @Override
        protected void invokeListener(ApplicationListener<?> listener, ApplicationEvent event) {
            super.invokeListener(listener, event);
        }
    }

    /** Apart, because Spring's transactions may be missing. */
    private static final class Transactions {

        static boolean isActive() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive();
        }

        static boolean isAfterCommit(ApplicationListener<?> listener) {
            return listener instanceof TransactionalApplicationListener<?> transactional
                    && (transactional.getTransactionPhase() == TransactionPhase.AFTER_COMMIT
                            || transactional.getTransactionPhase() == TransactionPhase.AFTER_COMPLETION);
        }

        static void process(ApplicationListener<ApplicationEvent> listener, ApplicationEvent event) {
            ((TransactionalApplicationListener<ApplicationEvent>) listener).processEvent(event);
        }
    }
}
