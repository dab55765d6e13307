// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A virtual thread that keeps the only carrier of its JVM, because it takes its lock in a static initializer. */
@Tag("long")
class PinnedThreadTest {

    enum Pool {
        /** Nobody else wants a connection. */
        IDLE,
        /** A virtual thread has been handed the other connection, but cannot run to take it. */
        AWAITED
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void aPinnedThreadLocksAndUnlocks(Pool pool) throws Exception {
        assertThat(outputOfAJvmWithOneCarrier(pool)).isEqualTo("locked and unlocked");
    }

    private String outputOfAJvmWithOneCarrier(Pool pool) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-classpath",
                System.getProperty("java.class.path"),
                OneCarrier.class.getName(),
                pool.name())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output).strip();
    }

    /** The other JVM. */
    static final class OneCarrier {

        /** What the static initializer works with. */
        private static final AtomicReference<Reservation> RESERVATION = new AtomicReference<>();

        private OneCarrier() {}

        public static void main(String[] args) throws Exception {
            HikariDataSource pool = JdbcBackend.pool("jdbc:h2:mem:pinned;DB_CLOSE_DELAY=-1", "sa", "");
            pool.setMaximumPoolSize(2);
            JdbcBackend.install(pool, "h2");
            DataSource used = Pool.valueOf(args[0]) == Pool.IDLE ? pool : awaited(pool);
            RESERVATION.set(ReservationManager.jdbc(used)
                    .domain("orders")
                    .database(Database.H2)
                    .build()
                    .getReservation("42"));

            Thread.ofVirtual().start(Pinned::touch).join();
        }

        /** Takes the lock while it is initialized: a frame of the VM is on the stack, and the thread cannot unmount. */
        private static final class Pinned {

            static {
                RESERVATION.get().lock();
                RESERVATION.get().unlock();
                System.out.println("locked and unlocked");
            }

            static void touch() {}
        }

        /** Both connections are in use, and a virtual thread waits; whoever asks then gets one, and the waiter the other. */
        private static DataSource awaited(HikariDataSource pool) throws SQLException {
            AtomicReference<Connection> first = new AtomicReference<>(pool.getConnection());
            Connection second = pool.getConnection();
            Thread waiter = Thread.ofVirtual().start(() -> {
                try (Connection handedOver = pool.getConnection()) {
                    assertThat(handedOver.isValid(1)).isTrue();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1
                    && waiter.getState() == Thread.State.TIMED_WAITING);
            return dataSource(() -> {
                Connection connection = first.getAndSet(null);
                if (connection == null) {
                    return pool.getConnection();
                }
                Thread handingOver = Thread.ofPlatform().start(() -> close(second));
                assertThat(handingOver.join(Duration.ofSeconds(10))).isTrue();
                return connection;
            });
        }

        private static void close(Connection connection) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private static DataSource dataSource(Callable<Connection> connect) {
            return (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(),
                    new Class<?>[]{DataSource.class},
                    (proxy, method, arguments) -> connect.call());
        }
    }
}
