// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Says why there is no bean that the starter could have made. First: Spring Boot would say that the application must define one. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingBeanFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

    /**
     * Why there is no bean.
     *
     * @param cause whether that is why; an application may also have excluded the auto-configuration
     */
    private record Reason(BiPredicate<Environment, ListableBeanFactory> cause, String description, String action) {}

    private static final Reason NO_OUTBOX = new Reason(
            (environment, beans) -> !environment.getProperty("reservation.outbox.enabled", Boolean.class, false),
            "reservation.outbox.enabled is not true", "Set reservation.outbox.enabled=true.");

    /** By their names: the classes may be missing. */
    private static final Map<String, Reason> REASONS = Map.of(
            "com.github.reservation.outbox.Outbox", NO_OUTBOX,
            "com.github.reservation.spring.TransactionalOutbox", NO_OUTBOX,
            "com.github.reservation.expiration.ExpirationJob",
            new Reason(
                    (environment,
                            beans) -> !environment.getProperty("reservation.expiration.enabled", Boolean.class, true),
                    "reservation.expiration.enabled is false",
                    "Remove reservation.expiration.enabled=false, or define a bean of this type."),
            "com.github.reservation.expiration.Transactor",
            new Reason(
                    (environment,
                            beans) -> !ClassUtils.isPresent("org.springframework.jdbc.datasource.DataSourceUtils",
                                    null),
                    "Spring's support for JDBC is not on the class path",
                    "Add org.springframework.boot:spring-boot-starter-jdbc, or define a bean of this type."),
            "com.github.reservation.claim.Claims",
            new Reason(
                    (environment, beans) -> has(ReservationManagers.class, beans) && !has(Backend.class, beans),
                    "the application has its own ReservationManagers: the starter does not know where claims are kept",
                    "Define a bean of this type."));

    private final @Nullable Environment environment;
    private final @Nullable BeanFactory beans;

    MissingBeanFailureAnalyzer(@Nullable Environment environment, @Nullable BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    private static boolean has(Class<?> type, ListableBeanFactory beans) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        ResolvableType missing = cause.getResolvableType();
        if (missing == null || cause instanceof NoUniqueBeanDefinitionException || environment == null
                || !(beans instanceof ListableBeanFactory all)) {
            return null;
        }
        String type = missing.toClass().getName();
        Reason reason = REASONS.get(type);
        return reason == null || !reason.cause().test(environment, all)
                ? null
                : new FailureAnalysis(
                        (description == null ? "The application" : description) + " needs a bean of type " + type
                                + ". There is none, because " + reason.description() + '.',
                        reason.action(), cause);
    }
}
