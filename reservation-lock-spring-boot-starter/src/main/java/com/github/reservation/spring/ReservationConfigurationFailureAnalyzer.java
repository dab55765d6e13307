// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints a wrong configuration as Spring Boot prints its own. */
final class ReservationConfigurationFailureAnalyzer
        extends AbstractFailureAnalyzer<ReservationConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ReservationConfigurationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
