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

class ModuleDescriptorTest {

    private ModuleDescriptor module;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in =
                Files.newInputStream(Path.of(System.getProperty("reservation.classes"), "module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
    }

    @Test
    void theModuleIsNamedAfterTheDoorAndClosed() {
        assertThat(module.name()).isEqualTo("com.github.reservation");
        assertThat(module.isOpen()).isFalse();
        assertThat(module.opens()).isEmpty();
    }

    @Test
    void theDoorTheBackendsAndTheBorderAreExportedToEverybodyAndNothingElseIs() {
        assertThat(module.exports())
                .filteredOn(exported -> !exported.isQualified())
                .extracting(Exports::source)
                .containsExactlyInAnyOrder(
                        "com.github.reservation",
                        "com.github.reservation.hazelcast",
                        "com.github.reservation.jdbc",
                        "com.github.reservation.lease",
                        "com.github.reservation.memory",
                        "com.github.reservation.oracle",
                        "com.github.reservation.store");
    }

    @Test
    void theCellarIsSharedWithTheOtherHouseAlone() {
        assertThat(module.exports())
                .filteredOn(Exports::isQualified)
                .allSatisfy(shared -> assertThat(shared.targets()).containsExactly("com.github.reservation.pattern"))
                .extracting(Exports::source)
                .containsExactlyInAnyOrder(
                        "com.github.reservation.internal.base",
                        "com.github.reservation.internal.metrics",
                        "com.github.reservation.internal.sql");
    }

    @Test
    void nothingIsRequiredButTheJdk() {
        assertThat(module.requires())
                .filteredOn(required -> !required.modifiers().contains(Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactlyInAnyOrder("java.base", "java.sql");
    }

    @Test
    void whatCanBeMissingIsRequiredForTheCompilerOnly() {
        assertThat(module.requires())
                .filteredOn(required -> required.modifiers().contains(Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactlyInAnyOrder("com.hazelcast.core", "micrometer.core", "org.jspecify");
    }

    @Test
    void theOnlyServiceIsTheDdlOfTheOtherHouse() {
        assertThat(module.provides()).isEmpty();
        assertThat(module.uses()).containsExactly("com.github.reservation.internal.sql.TableFiles");
    }
}
