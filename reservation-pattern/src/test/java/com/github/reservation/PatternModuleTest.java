// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor.Exports;
import org.junit.jupiter.api.Test;

class PatternModuleTest extends OurModule {

    @Test
    void thePillarsAndTheBorderOfClaimsAreExportedAndNothingElseIs() {
        assertThat(module.name()).isEqualTo("com.github.reservation.pattern");
        assertThat(module.exports())
                .noneMatch(Exports::isQualified)
                .extracting(Exports::source)
                .containsExactlyInAnyOrder(
                        "com.github.reservation.claim",
                        "com.github.reservation.claim.store",
                        "com.github.reservation.expiration",
                        "com.github.reservation.outbox");
    }

    @Test
    void nothingIsRequiredButTheLocksAndTheJdk() {
        assertThat(required()).containsExactlyInAnyOrder("java.base", "com.github.reservation");
    }
}
