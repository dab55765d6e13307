// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** What all database servers have in common: a guarded process that answers through a data source. */
final class RunningServer {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final GuardedProcess process;
    private final DataSource dataSource;
    private final boolean shared;
    private final AtomicInteger databases = new AtomicInteger();

    /** Starts the server and waits until it answers a query. */
    RunningServer(GuardedProcess process, DataSource dataSource, boolean shared) {
        this.process = process;
        this.dataSource = dataSource;
        this.shared = shared;
        try {
            start();
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private void start() {
        process.start();
        long start = System.nanoTime();
        while (true) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
                return;
            } catch (SQLException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new IllegalStateException("The server does not answer. It said:\n" + process.log(), e);
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

    /**
     * Finds a port below those that the system gives to clients (from 32768 on). While a server is down, a client that
     * tries to reach a port among those can be given that very port as its own and be connected to itself.
     */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
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
        process.kill();
    }

    void restart() {
        notShared();
        process.kill();
        start();
    }

    void freeze() {
        notShared();
        process.freeze();
    }

    void thaw() {
        notShared();
        process.thaw();
    }

    /** Leaves a shared server alone: JUnit closes whatever it hands to a parameterized test. */
    void close() {
        if (!shared) {
            process.close();
        }
    }

    private void notShared() {
        if (shared) {
            throw new IllegalStateException("Other tests need this server: start() one of your own");
        }
    }
}
