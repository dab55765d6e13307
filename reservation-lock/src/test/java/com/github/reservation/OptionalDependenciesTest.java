// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.expiration.ExpirationAlone;
import com.github.reservation.hazelcast.HazelcastAlone;
import com.github.reservation.jdbc.H2Alone;
import com.github.reservation.oracle.OracleAlone;
import com.github.reservation.outbox.OutboxAlone;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.Driver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library in a JVM of its own, without what it can do without. */
@SideBySide
@Tag("long")
class OptionalDependenciesTest {

    private static final String LIBRARY = System.getProperty("reservation.classes");
    private static final String USED = "listed 42, renewed true, lost 42, ran 43";

    @TempDir
    private Path folder;

    @Test
    void theLibraryNeedsTheJdkAlone() throws Exception {
        assertThat(runs(BackendAlone.class, "", List.of("orders")))
                .containsExactly(
                        USED,
                        "Hazelcast is not on the class path: add com.hazelcast:hazelcast, 5.3 or newer",
                        "meterRegistry must be an io.micrometer.core.instrument.MeterRegistry, but is a java.lang.String");

        assertOnlyTheLibraryWasLoaded();
    }

    @Test
    void withoutARegistryMicrometerIsNotTouched() throws Exception {
        String micrometer = jarsNamed(".*micrometer.*");
        assertThat(micrometer).contains(jarOf(MeterRegistry.class));

        assertThat(runs(BackendAlone.class, micrometer, List.of())).startsWith(USED);

        assertOnlyTheLibraryWasLoaded();
    }

    @Test
    void aDatabaseNeedsItsDriverAndNoOtherJar() throws Exception {
        assertThat(runs(H2Alone.class, jarOf(Driver.class), List.of())).containsExactly(USED);
    }

    @Test
    void expirationNeedsADriverAndNoOtherJar() throws Exception {
        assertThat(runs(ExpirationAlone.class, jarOf(Driver.class), List.of()))
                .containsExactly("expired 1", "processed 1");
    }

    @Test
    void theOutboxNeedsADriverAndACodecAndNoOtherJar() throws Exception {
        assertThat(runs(OutboxAlone.class, jarOf(Driver.class), List.of()))
                .containsExactly(
                        "codec must be set before building, because Jackson is not on the class path: write one, or add"
                                + " com.fasterxml.jackson.core:jackson-databind, 2.10 or newer",
                        "arrived hello",
                        "delivered 1");
    }

    @Test
    void theStrategyForOracleNeedsItsDriverAndNoOtherJar() throws Exception {
        assertThat(runs(OracleAlone.class, jarOf(Driver.class), List.of())).containsExactly(USED);
    }

    @Test
    void hazelcastNeedsNoOtherJar() throws Exception {
        assertThat(runs(HazelcastAlone.class, jarOf(HazelcastInstance.class), List.of())).containsExactly(USED);
    }

    @Test
    void everyExportedTypeCanBeLookedAtWithTheJdkAlone() throws Exception {
        List<String> exported = exportedTypes();
        assertThat(exported)
                .contains(ReservationManager.class.getName(), "com.github.reservation.oracle.LockingStrategy$LockInfo");

        assertThat(runs(LookedAt.class, "", exported)).containsExactlyElementsOf(exported);
    }

    /** Mockito reads the generic signatures of a type, too. It makes no mocks of a sealed interface, whoever writes it. */
    @Test
    void everyExportedTypeCanBeMockedWithMockitoAlone() throws Exception {
        List<String> exported = new ArrayList<>(exportedTypes());
        exported.removeIf(OptionalDependenciesTest::isSealed);

        assertThat(runs(MockedAlone.class, jarsNamed(".*(mockito|byte-buddy|objenesis).*"), exported))
                .containsExactlyElementsOf(exported);
    }

    private static boolean isSealed(String className) {
        try {
            return Class.forName(className).isSealed();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String jarsNamed(String pattern) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(pattern))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> exportedTypes() throws IOException, ClassNotFoundException {
        Path library = Path.of(LIBRARY);
        ModuleDescriptor module =
                ModuleFinder.of(library).find("com.github.reservation").orElseThrow().descriptor();
        List<String> types = new ArrayList<>();
        for (String exported : module.exports().stream().map(Exports::source).sorted().toList()) {
            try (Stream<Path> files = Files.list(library.resolve(exported.replace('.', '/')))) {
                for (String file : files.map(file -> file.getFileName().toString()).sorted().toList()) {
                    String name = exported + '.' + file.replaceFirst("\\.class$", "");
                    if (file.endsWith(".class") && isPublic(name)) {
                        types.add(name);
                    }
                }
            }
        }
        return types;
    }

    private static boolean isPublic(String className) throws ClassNotFoundException {
        Class<?> type = Class.forName(className, false, OptionalDependenciesTest.class.getClassLoader());
        return Modifier.isPublic(type.getModifiers());
    }

    /** Runs the class with our classes and those jars, and returns the lines that it printed. */
    private List<String> runs(Class<?> main, String jars, List<String> arguments) throws Exception {
        Path output = folder.resolve("output.txt");
        Path errors = folder.resolve("errors.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log().toString().replace(":", "\\:") + "::filecount=0",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                String.join(File.pathSeparator, LIBRARY, jarOf(main), jars),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(() -> contentOf(errors.toFile())).isZero();
        return Files.readAllLines(output);
    }

    private Path log() {
        return folder.resolve("loaded.txt");
    }

    private static String jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    private void assertOnlyTheLibraryWasLoaded() throws IOException {
        List<String> loaded = Files.readAllLines(log()).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "").replaceFirst(" .*", ""))
                .toList();
        assertThat(loaded).contains("com.github.reservation.internal.lock.StoreReservation");
        assertThat(loaded).noneMatch(OptionalDependenciesTest::isForeign);
    }

    /** Neither of the JDK nor ours. */
    private static boolean isForeign(String className) {
        return !className.matches("(java|javax|jdk|sun|com\\.sun|com\\.github\\.reservation)\\..*");
    }
}
