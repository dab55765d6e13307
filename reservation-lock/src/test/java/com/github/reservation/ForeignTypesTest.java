// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No signature names a type of Hazelcast or Micrometer, so these arguments are checked when they are passed. */
class ForeignTypesTest {

    @TempDir
    private Path directory;

    /** Also what was written when these methods still named the types. */
    @Test
    void whatIsRightCompiles() throws Exception {
        assertThat(compile(List.of(
                "ReservationManager.hazelcast(instance)",
                "ReservationManager.hazelcast(null)",
                "new HazelcastReservationManagerBuilder(instance)",
                "ReservationManager.inMemory().meterRegistry(registry).domain(text)",
                "ReservationManager.inMemory().meterRegistry(null).domain(text)",
                "ReservationManager.hazelcast(instance).meterRegistry(new SimpleMeterRegistry()).mapPrefix(text)",
                "Optional.of(instance).map(ReservationManager::hazelcast)",
                "Optional.of(registry).map(ReservationManager.inMemory()::meterRegistry)")))
                .isEmpty();
    }

    @Test
    void whatIsWrongIsToldAtOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> ReservationManager.hazelcast("orders"))
                .withMessage(
                        "hazelcastInstance must be a com.hazelcast.core.HazelcastInstance, but is a java.lang.String");
        assertThatIllegalArgumentException().isThrownBy(() -> ReservationManager.inMemory().meterRegistry("orders"))
                .withMessage("meterRegistry must be an io.micrometer.core.instrument.MeterRegistry,"
                        + " but is a java.lang.String");
    }

    /** Compiles the expressions and returns what the compiler has to say, with the lines that it dislikes. */
    private String compile(List<String> expressions) throws Exception {
        Path source = Files.writeString(directory.resolve("User.java"), """
                import com.github.reservation.ReservationManager;
                import com.github.reservation.hazelcast.HazelcastReservationManagerBuilder;
                import com.hazelcast.core.HazelcastInstance;
                import io.micrometer.core.instrument.MeterRegistry;
                import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
                import java.util.Optional;

                class User {
                    void use(HazelcastInstance instance, MeterRegistry registry, String text) {
                        Object used;
                %s
                    }
                }
                """.formatted(expressions.stream()
                .map(expression -> "used = " + expression + ";")
                .collect(Collectors.joining("\n"))));
        return Compilation.of(
                List.of("-classpath", System.getProperty("java.class.path"), "-d", directory.toString()), source);
    }
}
