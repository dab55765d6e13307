// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test class, before any of its code runs, unless the {@link Backend} is among those that tests run on. */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
public @interface Needs {

    Backend value();

    /** Returns whether the class starts a server of its own, which it may break. */
    boolean ownServer() default false;

    /** Compares the annotation with {@code -Dbackends}. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getElement()
                    .map(element -> element.getAnnotation(Needs.class))
                    .map(needs -> evaluate(needs.value(), needs.ownServer()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("Its class is enabled"));
        }

        static ConditionEvaluationResult evaluate(Backend backend, boolean ownServer) {
            return (ownServer ? backend.whyNoOwnServer() : backend.whyNot())
                    .map(ConditionEvaluationResult::disabled)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("Runs on " + backend));
        }
    }
}
