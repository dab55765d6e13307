// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The starter without any of its optional jars, and with each kind of them alone. */
class SmallestApplicationTest {

    /** What users get with the starter. */
    private static final List<String> REQUIRED = List.of(
            "spring-boot-4", "spring-boot-autoconfigure-4", "spring-aop", "spring-beans", "spring-context-7",
            "spring-core-7",
            "spring-expression", "commons-logging", "micrometer-observation-1", "micrometer-commons", "jspecify");

    @Test
    void itRunsWithNothingElse() throws Exception {
        assertThat(run(List.of())).contains("Kept in the memory of this JVM", "Held: orders::42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"micrometer-core", "spring-boot-actuator"})
    void itRunsWithOneKindOfOptionalJars(String optional) throws Exception {
        assertThat(run(List.of(optional))).contains("Held: orders::42");
    }

    @Test
    void itRunsWithADatabase() throws Exception {
        assertThat(run(
                List.of("spring-tx", "spring-jdbc", "spring-boot-jdbc", "spring-boot-sql", "spring-boot-transaction",
                        "spring-boot-persistence", "HikariCP", "slf4j-api", "h2-")))
                .contains("Kept in table RESERVATION_LOCKS", "Held: orders::42");
    }

    private static String run(List<String> optional) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> isClasses(entry) || startsWithAny(entry, REQUIRED) || startsWithAny(entry, optional))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp", classPath,
                SmallestApplication.class.getName())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes());
    }

    /** Classes of this project: directories, or the jar of the library. */
    private static boolean isClasses(String entry) {
        return new File(entry).isDirectory()
                || new File(entry).getName().matches("reservation-lock-[0-9].*(?<!tests)[.]jar");
    }

    private static boolean startsWithAny(String entry, List<String> names) {
        return names.stream().anyMatch(name -> new File(entry).getName().startsWith(name));
    }
}
