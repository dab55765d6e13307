// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterInfo;

/** An argument of a parameterized test that the test can use only on a certain backend. */
public interface NeedsBackend {

    Backend backend();

    /** Skips a test whose argument needs a backend that is not named; JUnit finds this by itself. */
    final class Check implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            Optional.ofNullable(ParameterInfo.get(context)).stream()
                    .flatMap(info -> Arrays.stream(info.getArguments().toArray()))
                    .filter(NeedsBackend.class::isInstance)
                    .forEach(argument -> ((NeedsBackend) argument).backend().require());
        }
    }
}
