// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM under a {@link ShellGuard}: it dies with this one, even if a signal has stopped it. */
public final class ChildJvm implements AutoCloseable {

    /** Prints the process id first. Then it passes each line to the JVM, and the lines that the JVM prints come back. */
    private static final String SCRIPT = """
            mkfifo "$dir/orders"
            setsid "$@" <"$dir/orders" 2>"$dir/log" &
            pid=$!
            exec 3>"$dir/orders"
            echo $pid
            while read -r order; do
                echo "$order" >&3
            done
            kill -KILL $pid
            wait $pid
            rm -rf "$dir"
            """;

    /** Hazelcast looks into the JDK; without these it says so at every start. */
    private static final List<String> QUIET = List.of(
            "--add-modules", "java.se",
            "--add-exports", "java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens", "java.base/java.lang=ALL-UNNAMED",
            "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens", "java.management/sun.management=ALL-UNNAMED",
            "--add-opens", "jdk.management/com.sun.management.internal=ALL-UNNAMED",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow");

    /** For a JVM that is to be there soon. */
    public static final List<String> SMALL = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1");

    private final ShellGuard guard;
    private final long pid;

    /** Starts {@code java} with these arguments. The directory is removed when the JVM has ended. */
    public ChildJvm(Path directory, List<String> arguments) {
        this(directory, List.of(), arguments);
    }

    /**
     * Starts {@code java} by another command.
     *
     * @param by what comes before it, for example {@code env LANG=C}; it must become {@code java}, and not be its parent
     */
    public ChildJvm(Path directory, List<String> by, List<String> arguments) {
        List<String> command = new ArrayList<>(by);
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(QUIET);
        command.addAll(arguments);
        guard = new ShellGuard(directory, SCRIPT, command);
        pid = Long.parseLong(guard.answer());
    }

    /** Returns the entries of this JVM's class path that are jars: the library's own classes are not among them. */
    public static String jarsOnly() {
        return classPath().filter(entry -> entry.endsWith(".jar")).collect(Collectors.joining(File.pathSeparator));
    }

    public static Stream<String> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    public static Path newDirectory() {
        try {
            return Files.createTempDirectory("reservation-child");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends an order to the JVM and returns its answer. */
    public String does(String order) {
        starts(order);
        return answer();
    }

    public void starts(String order) {
        guard.send(order);
    }

    /** Waits for the next line that the JVM prints. */
    public String answer() {
        return guard.answer();
    }

    public void kill() {
        signal("KILL");
        while (isAlive()) {
            Thread.onSpinWait();
        }
    }

    /** Its parent is the guard, which does not wait for it: a dead JVM remains as a zombie. */
    private boolean isAlive() {
        try {
            return !Files.readString(Path.of("/proc", Long.toString(pid), "status")).contains("State:\tZ");
        } catch (IOException e) {
            return false;
        }
    }

    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int result = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
            if (result != 0) {
                throw new IllegalStateException("Could not send " + signal + " to " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what the JVM wrote to its standard error. */
    public String log() {
        return guard.log();
    }

    /** Kills the JVM, removes its directory and waits for both. */
    @Override
    public void close() {
        guard.close();
    }
}
