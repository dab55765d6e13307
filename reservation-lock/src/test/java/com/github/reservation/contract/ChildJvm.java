// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM of its own under a guard that outlives this one by a moment: a shell that starts the JVM, hands on to it what it is
 * told, and when its own input ends – that is when this JVM does, be it by SIGKILL – kills it and removes its directory. So
 * nothing is left behind, even of a JVM that was stopped by a signal.
 */
public final class ChildJvm implements AutoCloseable {

    /** Answers first with the process id; then everything that is said goes to the JVM, and what it says comes back. */
    private static final String GUARD = """
            trap : HUP INT TERM PIPE
            dir=$1
            shift
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

    private final Path directory;
    private final Process guard;
    private final Writer orders;
    private final BufferedReader answers;
    private final long pid;

    /** Starts {@code java} with these arguments. The directory is removed when the JVM has ended. */
    public ChildJvm(Path directory, List<String> arguments) {
        this.directory = directory;
        List<String> line = new ArrayList<>(List.of("setsid", "sh", "-c", GUARD, "guard", directory.toString()));
        line.add(ProcessHandle.current().info().command().orElseThrow());
        line.addAll(QUIET);
        line.addAll(arguments);
        try {
            guard = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            orders = guard.outputWriter();
            answers = guard.inputReader();
            pid = Long.parseLong(answers.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** Tells the JVM something and returns what it answers. */
    public String does(String order) {
        starts(order);
        return answer();
    }

    public void starts(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next line that the JVM prints. */
    public String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("The JVM has ended: " + log());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void kill() {
        signal("KILL");
        while (isAlive()) {
            Thread.onSpinWait();
        }
    }

    /** Its parent is the guard, who does not look after it: once dead it remains as a zombie. */
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

    /** Returns what it has said that is no answer. */
    public String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Kills the JVM, removes its directory and waits for both. */
    @Override
    public void close() {
        try {
            orders.close();
            if (!guard.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The guard does not end: pid " + guard.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
