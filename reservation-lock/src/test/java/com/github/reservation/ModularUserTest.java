// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user with modules needs our module and nothing else, to compile and to run. */
class ModularUserTest {

    private static final String LIBRARY = System.getProperty("reservation.classes");

    @TempDir
    private Path directory;

    @Test
    void compilesAndRunsWithOnlyTheLibraryOnTheModulePath() throws Exception {
        Path sources = Files.createDirectories(directory.resolve("src/user"));
        Path module = Files.writeString(directory.resolve("src/module-info.java"), """
                module user {
                    requires com.github.reservation;
                }
                """);
        Path main = Files.writeString(sources.resolve("Main.java"), """
                package user;

                import com.github.reservation.ReservationManager;
                import com.github.reservation.lease.HeldLock;

                public class Main {
                    public static void main(String[] args) {
                        try (ReservationManager orders = ReservationManager.inMemory().domain("orders").build()) {
                            System.out.println(orders.<String, RuntimeException>call("42", HeldLock::name));
                            System.out.println(ReservationManager.class.getMethods().length > 0);
                        }
                    }
                }
                """);

        List<String> options = List.of(
                "-Xlint:all",
                "-Werror",
                "--module-path",
                LIBRARY,
                "-d",
                directory.resolve("classes").toString());
        assertThat(Compilation.of(options, module, main)).isEmpty();
        Process run = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                LIBRARY + File.pathSeparator + directory.resolve("classes"),
                "--module",
                "user/user.Main")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(run.getInputStream().readAllBytes())).isEqualToIgnoringNewLines("42true");
        assertThat(run.waitFor()).isZero();
    }
}
