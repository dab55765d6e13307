// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private static final String PATTERN = "reservation-pattern";

    private static final List<String> DATABASE = List.of(
            "spring-tx", "spring-jdbc", "spring-boot-jdbc", "spring-boot-sql", "spring-boot-transaction",
            "spring-boot-persistence", "h2-");

    @Test
    void itRunsWithNothingElse() throws Exception {
        assertThat(run(List.of())).contains("Kept in the memory of this JVM", "Held: orders::42");
    }

    @Test
    void itSaysWhichJarTheOutboxNeeds() throws Exception {
        assertThat(run(List.of(), "--reservation.outbox.enabled=true")).contains(
                "reservation.outbox.enabled is true, but the outbox is not on the class path.",
                "Add com.github.reservation:reservation-pattern, or remove the property.");
    }

    @Test
    void itSaysWhichJarABeanNeedsThatUsesTheOutbox() throws Exception {
        assertThat(run(List.of(), "--uses-outbox")).contains(
                "The application uses com.github.reservation.outbox.Outbox, which is not on the class path.",
                "Add com.github.reservation:reservation-pattern.");
    }

    @Test
    void itRunsWithADatabaseAndHealthAndWithoutClaimsExpirationAndOutbox() throws Exception {
        List<String> jars = new ArrayList<>(DATABASE);
        jars.addAll(List.of("HikariCP", "slf4j-api", "spring-boot-actuator", "spring-boot-health", "micrometer-core"));

        assertThat(run(jars)).contains("Kept in table RESERVATION_LOCKS", "Held: orders::42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"micrometer-core", "spring-boot-actuator", PATTERN})
    void itRunsWithOneKindOfOptionalJars(String optional) throws Exception {
        assertThat(run(List.of(optional))).contains("Held: orders::42");
    }

    @Test
    void itRunsWithADatabase() throws Exception {
        List<String> jars = new ArrayList<>(DATABASE);
        jars.addAll(List.of("HikariCP", "slf4j-api"));

        assertThat(run(jars))
                .contains("Kept in table RESERVATION_LOCKS", "a pool of 4 connections", "Held: orders::42");
    }

    @Test
    void itRunsWithADatabaseAndWithoutHikariCp() throws Exception {
        assertThat(run(DATABASE))
                .contains("Kept in table RESERVATION_LOCKS", "the connections of the application", "Held: orders::42");
    }

    @Test
    void aPoolThatIsAskedForNeedsHikariCp() throws Exception {
        assertThat(run(DATABASE, "--reservation.jdbc.pool-size=2")).contains(
                "reservation.jdbc.pool-size is set, but no pool can be made. HikariCP is not on the class path.",
                "Add com.zaxxer:HikariCP, or set reservation.jdbc.pool-size to 0.");
    }

    private static String run(List<String> optional, String... arguments) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> isPattern(entry)
                        ? optional.contains(PATTERN)
                        : isClasses(entry) || startsWithAny(entry, REQUIRED) || startsWithAny(entry, optional))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp", classPath,
                SmallestApplication.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes());
    }

    /** Classes of this project: directories, or the jar of the library. */
    private static boolean isClasses(String entry) {
        return new File(entry).isDirectory()
                || new File(entry).getName().matches("reservation-lock-[0-9].*(?<!tests)[.]jar");
    }

    /** The other jar of this project, or its directory. */
    private static boolean isPattern(String entry) {
        return entry.contains(File.separator + PATTERN);
    }

    private static boolean startsWithAny(String entry, List<String> names) {
        return names.stream().anyMatch(name -> new File(entry).getName().startsWith(name));
    }
}
