// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import com.github.reservation.contract.ShellGuard;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/** What all database servers have in common: a process under a {@link ShellGuard} that answers through a data source. */
final class RunningServer {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Reads one order per line and answers each with a line. The server has a session of its own, so that no signal to the process
     * group of the JVM reaches it. The script looks up the children of the server, because those of PostgreSQL are sessions of their
     * own. It stops the parent first, so that no further children appear.
     */
    private static final String SCRIPT = """
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
                    start) setsid "$@" </dev/null >>"$dir/log" 2>&1 & pid=$! ;;
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
    private final ShellGuard guard;
    private final DataSource dataSource;
    private final boolean shared;
    private final AtomicInteger databases = new AtomicInteger();

    /**
     * Starts the server and waits until it answers a query.
     *
     * @param directory belongs to the server alone and is removed when the server ends
     */
    RunningServer(Path directory, List<String> command, DataSource dataSource, boolean shared) {
        this.guard = new ShellGuard(directory, SCRIPT, command);
        this.dataSource = dataSource;
        this.shared = shared;
        try {
            start();
        } catch (RuntimeException e) {
            guard.close();
            throw e;
        }
    }

    private void start() {
        order("start");
        long start = System.nanoTime();
        while (true) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
                return;
            } catch (SQLException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new IllegalStateException("The server does not answer. It said:\n" + guard.log(), e);
                }
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the server started", e);
            }
        }
    }

    private void order(String order) {
        turn.lock();
        try {
            guard.send(order);
            guard.answer();
        } finally {
            turn.unlock();
        }
    }

    /** Creates a database and answers with its name. */
    String newDatabase() {
        String name = "test_" + databases.incrementAndGet();
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException("Could not create database " + name, e);
        }
    }

    void kill() {
        notShared();
        order("kill");
    }

    void restart() {
        kill();
        start();
    }

    void freeze() {
        notShared();
        order("freeze");
    }

    void thaw() {
        notShared();
        order("thaw");
    }

    /** Leaves a shared server alone: JUnit closes whatever it hands to a parameterized test. */
    void close() {
        if (!shared) {
            guard.close();
        }
    }

    private void notShared() {
        if (shared) {
            throw new IllegalStateException("Other tests need this server: start() one of your own");
        }
    }
}
