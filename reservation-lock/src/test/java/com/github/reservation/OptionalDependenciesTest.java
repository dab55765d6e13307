// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.hazelcast.HazelcastAlone;
import com.github.reservation.jdbc.H2Alone;
import com.github.reservation.oracle.OracleAlone;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.h2.Driver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library in a JVM of its own, without what it can do without. */
@SideBySide
@Tag("long")
class OptionalDependenciesTest {

    private static final String MODULE = "com.github.reservation";
    private static final String LIBRARY = System.getProperty("reservation.classes");
    private static final String USED = "listed 42, renewed true, lost 42, ran 43";

    @TempDir
    private Path folder;

    @Test
    void theLibraryNeedsTheJdkAlone() throws Exception {
        assertThat(jvm().runs(BackendAlone.class, "", List.of("orders")))
                .containsExactly(
                        USED,
                        "Hazelcast is not on the class path: add com.hazelcast:hazelcast, 5.3 or newer",
                        "meterRegistry must be an io.micrometer.core.instrument.MeterRegistry, but is a java.lang.String");

        assertOnlyTheLibraryWasLoaded();
    }

    @Test
    void withoutARegistryMicrometerIsNotTouched() throws Exception {
        String micrometer = LonelyJvm.jarsNamed(".*micrometer.*");
        assertThat(micrometer).contains(LonelyJvm.jarOf(MeterRegistry.class));

        assertThat(jvm().runs(BackendAlone.class, micrometer, List.of())).startsWith(USED);

        assertOnlyTheLibraryWasLoaded();
    }

    @Test
    void aDatabaseNeedsItsDriverAndNoOtherJar() throws Exception {
        assertThat(jvm().runs(H2Alone.class, LonelyJvm.jarOf(Driver.class), List.of())).containsExactly(USED);
    }

    @Test
    void theStrategyForOracleNeedsItsDriverAndNoOtherJar() throws Exception {
        assertThat(jvm().runs(OracleAlone.class, LonelyJvm.jarOf(Driver.class), List.of())).containsExactly(USED);
    }

    @Test
    void hazelcastNeedsNoOtherJar() throws Exception {
        assertThat(jvm().runs(HazelcastAlone.class, LonelyJvm.jarOf(HazelcastInstance.class), List.of()))
                .containsExactly(USED);
    }

    @Test
    void everyExportedTypeCanBeLookedAtWithTheJdkAlone() throws Exception {
        List<String> exported = LonelyJvm.exportedTypes(Path.of(LIBRARY), MODULE);
        assertThat(exported)
                .contains(ReservationManager.class.getName(), "com.github.reservation.oracle.LockingStrategy$LockInfo");

        assertThat(jvm().runs(LookedAt.class, "", exported)).containsExactlyElementsOf(exported);
    }

    /** Mockito reads the generic signatures of a type, too. It makes no mocks of a sealed interface, whoever writes it. */
    @Test
    void everyExportedTypeCanBeMockedWithMockitoAlone() throws Exception {
        List<String> exported = LonelyJvm.openTypes(Path.of(LIBRARY), MODULE);

        assertThat(jvm().runs(MockedAlone.class, LonelyJvm.jarsNamed(".*(mockito|byte-buddy|objenesis).*"), exported))
                .containsExactlyElementsOf(exported);
    }

    private void assertOnlyTheLibraryWasLoaded() throws IOException {
        List<String> loaded = jvm().loaded();
        assertThat(loaded).contains("com.github.reservation.internal.lock.StoreReservation");
        assertThat(loaded).noneMatch(OptionalDependenciesTest::isForeign);
    }

    private LonelyJvm jvm() {
        return new LonelyJvm(folder, LIBRARY);
    }

    /** Neither of the JDK nor ours. */
    private static boolean isForeign(String className) {
        return !className.matches("(java|javax|jdk|sun|com\\.sun|com\\.github\\.reservation)\\..*");
    }
}
