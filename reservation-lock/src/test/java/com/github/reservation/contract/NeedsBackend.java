// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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
            // A parameterized test of a parameterized class has arguments of both.
            Stream.iterate(Optional.of(context), Optional::isPresent,
                    inner -> inner.flatMap(ExtensionContext::getParent))
                    .map(each -> ParameterInfo.get(each.orElseThrow()))
                    .filter(Objects::nonNull)
                    .flatMap(info -> Arrays.stream(info.getArguments().toArray()))
                    .filter(NeedsBackend.class::isInstance)
                    .forEach(argument -> ((NeedsBackend) argument).backend().require());
        }
    }
}
