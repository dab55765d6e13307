// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server under a guard that outlives this JVM by a moment: a shell that starts the server, sends it signals when told
 * so through a pipe, and when the pipe ends – that is when this JVM does, be it by SIGKILL – kills the server and
 * removes its directory.
 */
final class GuardedProcess implements AutoCloseable {

    /**
     * Reads one order per line and answers each with a line. Guard and server have a session each, so that nothing
     * sent to the JVM's process group hits them. A server's children are looked up: PostgreSQL's are sessions of their
     * own. The parent is stopped before that, so that it has no further ones.
     */
    private static final String GUARD = """
            trap : HUP INT TERM PIPE
            dir=$1
            shift
            pid=
            halt() {
                kill -STOP $1
                while grep -q '^State:.[RSD]' /proc/$1/status; do sleep 0.001; done
            }
            freeze() {
                halt $pid
                for child in $(cat /proc/$pid/task/$pid/children); do halt $child; done
            }
            end() {
                if [ -n "$pid" ]; then
                    halt $pid
                    kill -KILL $(cat /proc/$pid/task/$pid/children) $pid
                    wait $pid
                    pid=
                fi
            }
            while read -r order; do
                case $order in
                    start) setsid "$@" </dev/null >>"$dir/server.log" 2>&1 & pid=$! ;;
                    freeze) freeze ;;
                    thaw) kill -CONT $pid $(cat /proc/$pid/task/$pid/children) ;;
                    kill) end ;;
                esac
                echo done
            done
            end
            for try in 1 2 3 4 5 6 7 8 9 10; do
                rm -rf "$dir" && break
                sleep 0.1
            done
            """;

    private final Lock turn = new ReentrantLock();
    private final Path directory;
    private final Process guard;
    private final Writer orders;
    private final BufferedReader answers;

    /**
     * Starts the guard, but not yet the server.
     *
     * @param directory belongs to the server alone and goes when it ends
     */
    GuardedProcess(Path directory, List<String> command) {
        this.directory = directory;
        List<String> line = new ArrayList<>(List.of("setsid", "sh", "-c", GUARD, "guard", directory.toString()));
        line.addAll(command);
        try {
            guard = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        orders = guard.outputWriter();
        answers = guard.inputReader();
    }

    void start() {
        order("start");
    }

    void kill() {
        order("kill");
    }

    void freeze() {
        order("freeze");
    }

    void thaw() {
        order("thaw");
    }

    private void order(String order) {
        turn.lock();
        try {
            orders.write(order + "\n");
            orders.flush();
            if (answers.readLine() == null) {
                throw new IllegalStateException("The server's guard is gone; could not " + order);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not " + order + " the server", e);
        } finally {
            turn.unlock();
        }
    }

    /** What the server has said so far. */
    String log() {
        try {
            return Files.readString(directory.resolve("server.log"));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Kills the server, removes its directory and waits for both. */
    @Override
    public void close() {
        try {
            orders.close();
            if (!guard.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server's guard does not end: pid " + guard.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
