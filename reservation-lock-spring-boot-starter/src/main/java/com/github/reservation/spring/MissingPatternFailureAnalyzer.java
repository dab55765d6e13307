// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which jar has the classes of claims, expiration and outbox, if the application uses them and they are not there. */
final class MissingPatternFailureAnalyzer extends AbstractFailureAnalyzer<NoClassDefFoundError> {

    private static final Pattern CLASS =
            Pattern.compile("com[./]github[./]reservation[./](claim|expiration|outbox)[./]\\w+");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoClassDefFoundError cause) {
        String missing = String.valueOf(cause.getMessage());
        return CLASS.matcher(missing).matches()
                ? new FailureAnalysis(
                        "The application uses " + missing.replace('/', '.') + ", which is not on the class path.",
                        "Add com.github.reservation:reservation-pattern.", cause)
                : null;
    }
}
