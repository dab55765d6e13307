// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the model checker TLC in a JVM of its own: it has static state, and ends with an exit code. What it writes is in {@code target}.
 */
final class Tlc {

    /** Where the models are. */
    static final Path MODELS = Path.of(System.getProperty("models", "../docs/robustness")).toAbsolutePath().normalize();

    /** Whether to look at more states, for minutes. */
    static final boolean DEEP = Boolean.getBoolean("deep");

    private static final Path TARGET = Path.of("target/tlc").toAbsolutePath();
    private static final Pattern STATES = Pattern.compile("([0-9]+) distinct states found, 0 states left on queue");
    private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");

    private static final int NO_ERROR = 0;
    private static final int INVARIANT_VIOLATED = 12;

    /**
     * What TLC has found.
     *
     * @param violated the invariant that does not hold; empty if all hold
     * @param states how many states there are; 0 if it did not look at all of them
     */
    record Result(String violated, long states, String output) {}

    private Tlc() {}

    /** Makes a directory for a run, with a copy of a model: TLC wants all files in one place, and nothing is to be written to the docs. */
    static Path directory(String run, String model) throws IOException {
        Path directory = Files.createTempDirectory(Files.createDirectories(TARGET), run + "-");
        Files.copy(MODELS.resolve(model + ".tla"), directory.resolve(model + ".tla"));
        return directory;
    }

    /**
     * Checks a module with the configuration of the same name.
     *
     * @param options options of the JVM
     */
    static Result check(Path directory, String module, List<String> options)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory, // TLC unpacks its modules there.
                "-cp", tools(),
                "tlc2.TLC",
                "-workers", "1",
                "-metadir", directory.resolve("states").toString(),
                module));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(DEEP ? 60 : 5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("TLC did not end, see " + output);
        }
        return result(process.exitValue(), Files.readString(output), output);
    }

    /** Any other code means that TLC could not read or evaluate the module. */
    private static Result result(int code, String text, Path output) {
        Matcher violated = VIOLATED.matcher(text);
        Matcher states = STATES.matcher(text);
        if (code == INVARIANT_VIOLATED && violated.find()) {
            return new Result(violated.group(1), 0, text);
        }
        if (code == NO_ERROR && states.find()) {
            return new Result("", Long.parseLong(states.group(1)), text);
        }
        throw new IllegalStateException("TLC ended with " + code + ", see " + output + ":\n" + text);
    }

    private static String tools() {
        try {
            return Path.of(Class.forName("tlc2.TLC", false, Tlc.class.getClassLoader())
                    .getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
            throw new IllegalStateException("There is no TLC on the class path", e);
        }
    }
}
