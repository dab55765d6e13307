// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library in a JVM of its own, without and with what it can do without. */
class OptionalDependenciesTest {

    private static final String LIBRARY = System.getProperty("reservation.classes");

    @TempDir
    private Path folder;

    @Test
    void theLibraryNeedsTheJdkAlone() throws Exception {
        List<String> loaded = classesLoadedWith(LIBRARY, libraryAlone().toString());

        assertThat(loaded).contains("com.github.reservation.internal.StoreReservation");
        assertThat(loaded).noneMatch(OptionalDependenciesTest::isForeign);
    }

    @Test
    void withoutARegistryMicrometerIsNotTouched() throws Exception {
        String micrometer = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("micrometer"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(micrometer).contains(locationOf(MeterRegistry.class).toString());

        List<String> loaded = classesLoadedWith(LIBRARY, libraryAlone().toString(), micrometer);

        assertThat(loaded).contains("com.github.reservation.internal.StoreReservation");
        assertThat(loaded).noneMatch(OptionalDependenciesTest::isForeign);
    }

    /** Returns a folder with the one class of the tests that the other JVM needs. */
    private Path libraryAlone() throws IOException, URISyntaxException {
        Path file = Path.of(LibraryAlone.class.getName().replace('.', '/') + ".class");
        Path copy = folder.resolve("classes").resolve(file);
        Files.createDirectories(copy.getParent());
        Files.copy(locationOf(LibraryAlone.class).resolve(file), copy);
        return folder.resolve("classes");
    }

    private static Path locationOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Runs {@link LibraryAlone} and returns the names of all classes that were loaded. */
    private List<String> classesLoadedWith(String... classPath) throws IOException, InterruptedException {
        Path log = folder.resolve("loaded.txt");
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log.toString().replace(":", "\\:") + "::filecount=0",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                String.join(File.pathSeparator, classPath),
                LibraryAlone.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readAllLines(output))
                .as("what it printed")
                .containsExactly(
                        "Hazelcast is not on the class path: add com.hazelcast:hazelcast, 5.3 or newer", "OK");
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "").replaceFirst(" .*", ""))
                .toList();
    }

    /** Neither of the JDK nor ours. */
    private static boolean isForeign(String className) {
        return !className.matches("(java|javax|jdk|sun|com\\.sun|com\\.github\\.reservation)\\..*");
    }
}
