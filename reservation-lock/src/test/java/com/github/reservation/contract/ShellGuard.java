// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A shell that starts a process, and outlives this JVM by a moment. When its input ends, that is when this JVM ends, even by SIGKILL,
 * its script kills the process and removes the directory of the process. So nothing is left behind.
 */
public final class ShellGuard implements AutoCloseable {

    /** The first lines of each script: signals do not end the shell, {@code $dir} is the directory, {@code "$@"} the command. */
    private static final String START = """
            trap : HUP INT TERM PIPE
            dir=$1
            shift
            """;

    private final Path directory;
    private final Process shell;
    private final Writer input;
    private final BufferedReader output;

    /**
     * Runs the script in a session of its own, so that no signal to the process group of this JVM reaches the shell.
     *
     * @param directory belongs to the process alone; the script writes its log to {@code $dir/log}
     */
    public ShellGuard(Path directory, String script, List<String> command) {
        this.directory = directory;
        List<String> line =
                new ArrayList<>(List.of("setsid", "sh", "-c", START + script, "guard", directory.toString()));
        line.addAll(command);
        try {
            shell = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        input = shell.outputWriter();
        output = shell.inputReader();
    }

    /** Sends one line to the script. */
    public void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next line that the script, or its process, prints. */
    public String answer() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new IllegalStateException("The process has ended: " + log());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what the process has written to its log so far. */
    public String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Kills the process, removes its directory and waits for both. */
    @Override
    public void close() {
        try {
            input.close();
            if (!shell.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The guard does not end: pid " + shell.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
