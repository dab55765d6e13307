// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The types of Hazelcast and Micrometer are not in our class files, but the compiler knows them. */
class ForeignTypesTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
            "ReservationManager.hazelcast(instance)",
            "ReservationManager.hazelcast(null)",
            "new HazelcastReservationManagerBuilder(instance)",
            "ReservationManager.inMemory().meterRegistry(registry).domain(\"orders\")",
            "ReservationManager.inMemory().meterRegistry(null).domain(\"orders\")",
            "ReservationManager.hazelcast(instance).meterRegistry(new SimpleMeterRegistry()).mapPrefix(\"locks\")",
            "Optional.of(instance).map(ReservationManager::hazelcast)",
            "Optional.of(registry).map(ReservationManager.inMemory()::meterRegistry)"})
    void whatIsRightCompiles(String expression) throws Exception {
        assertThat(compile(expression)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "ReservationManager.hazelcast(\"an instance\")",
            "ReservationManager.hazelcast(registry)",
            "new HazelcastReservationManagerBuilder(new Object())",
            "ReservationManager.inMemory().meterRegistry(\"a registry\")",
            "ReservationManager.inMemory().meterRegistry(instance)"})
    void whatIsWrongDoesNot(String expression) throws Exception {
        assertThat(compile(expression)).contains("error:");
    }

    @Test
    void theBuilderKeepsItsTypeAfterTheRegistry() throws Exception {
        assertThat(compile("ReservationManager.jdbc(null).meterRegistry(registry).tableName(\"locks\")")).isEmpty();
        assertThat(compile("ReservationManager.jdbc(null).meterRegistry(registry).mapPrefix(\"locks\")"))
                .contains("cannot find symbol");
    }

    /** Returns what the compiler has to say. */
    private String compile(String expression) throws Exception {
        Path source = Files.writeString(directory.resolve("User.java"), """
                import com.github.reservation.ReservationManager;
                import com.github.reservation.hazelcast.HazelcastReservationManagerBuilder;
                import com.hazelcast.core.HazelcastInstance;
                import io.micrometer.core.instrument.MeterRegistry;
                import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
                import java.util.Optional;

                class User {
                    Object use(HazelcastInstance instance, MeterRegistry registry) {
                        return %s;
                    }
                }
                """.formatted(expression));
        return Compilation.of(
                List.of("-classpath", System.getProperty("java.class.path"), "-d", directory.toString()), source);
    }
}
