// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** A server's programs and an empty set of data, unpacked once per build directory and version. */
final class Installation {

    /** Where `mvn clean` removes them; tests run in their module's directory, and another module may use those of this one. */
    private static final Path ALL = Path.of(System.getProperty("servers", "target/servers")).toAbsolutePath();

    private final Path home;

    private Installation(Path home) {
        this.home = home;
    }

    /** Returns where a server's programs are, or would be. */
    static Path directory(String name) {
        return ALL.resolve(name);
    }

    /** Unpacks a server's programs and fills {@code data} below the given directory. */
    @FunctionalInterface
    interface Recipe {

        void install(Path home) throws IOException;
    }

    /**
     * Finds or makes it, named after the jar that holds the given resource, and so after the version. JVMs that make it
     * at the same time do no harm: the first one's is used.
     */
    static Installation of(String resource, Recipe recipe) {
        URL source = Objects.requireNonNull(Installation.class.getResource(resource), resource);
        return named(source.getPath().replaceFirst(".*/([^/]+)[.]jar!.*", "$1"), recipe);
    }

    /** Finds or makes it. */
    static Installation named(String name, Recipe recipe) {
        Path home = directory(name);
        if (!Files.exists(home)) {
            try {
                Files.createDirectories(home.getParent());
                Path draft = Files.createTempDirectory(home.getParent(), home.getFileName() + "-draft");
                recipe.install(draft);
                publish(draft, home);
            } catch (IOException e) {
                throw new UncheckedIOException("Could not install " + name, e);
            }
        }
        return new Installation(home);
    }

    private static void publish(Path draft, Path home) throws IOException {
        try {
            Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.exists(home)) {
                throw e;
            }
            run(List.of("rm", "-rf", draft.toString()));
        }
    }

    Path home() {
        return home;
    }

    /** A directory for one server, outside the build's, with {@code data} in it. */
    Path newServer() {
        try {
            // Short, whatever the build directory is called: the path of a socket has at most 107 characters.
            Path directory = Files.createTempDirectory("reservation-server");
            run(List.of("cp", "-a", home.resolve("data").toString(), directory.toString()));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command that is to succeed. */
    static void run(List<String> command) throws IOException {
        run(command, ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }

    /** Runs a command that is to succeed, on the given input. */
    static void run(List<String> command, ProcessBuilder.Redirect input) throws IOException {
        Process process = new ProcessBuilder(command).redirectInput(input).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new IOException("%s ended with %d:%n%s".formatted(command, process.exitValue(), output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while " + command.getFirst() + " ran", e);
        }
    }
}
