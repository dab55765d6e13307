// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PatternModuleTest {

    private ModuleDescriptor module;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in =
                Files.newInputStream(Path.of(System.getProperty("reservation.classes"), "module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
    }

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
        assertThat(module.requires())
                .filteredOn(required -> !required.modifiers().contains(Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactlyInAnyOrder("java.base", "com.github.reservation");
    }
}
