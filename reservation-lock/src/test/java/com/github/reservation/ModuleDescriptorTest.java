// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor.Exports;
import org.junit.jupiter.api.Test;

class ModuleDescriptorTest extends OurModule {

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
        assertThat(required()).containsExactlyInAnyOrder("java.base", "java.sql");
    }

    @Test
    void whatCanBeMissingIsRequiredForTheCompilerOnly() {
        assertThat(requiredByTheCompiler())
                .containsExactlyInAnyOrder("com.hazelcast.core", "micrometer.core", "org.jspecify");
    }

    @Test
    void theOnlyServiceIsTheDdlOfTheOtherHouse() {
        assertThat(module.provides()).isEmpty();
        assertThat(module.uses()).containsExactly("com.github.reservation.internal.sql.TableFiles");
    }
}
