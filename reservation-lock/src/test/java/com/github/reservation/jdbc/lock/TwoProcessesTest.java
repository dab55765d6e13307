// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A second process, for real: it has a JVM, a clock and a process id of its own, and can be killed. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class TwoProcessesTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final int ROUNDS = 100;

    private final Database database = PostgresServer.shared().newDatabase();
    private final TestDatabase opened = opened(database.url(), database.user(), database.password());
    private final HikariDataSource pool = opened.pool(8);
    private ReservationManager manager;

    @BeforeEach
    void install() {
        opened.install();
        manager = manager(pool);
    }

    @AfterEach
    void close() {
        manager.close();
        opened.close();
    }

    private static TestDatabase opened(String url, String user, String password) {
        return new TestDatabase(Databases.POSTGRESQL, url, user, password);
    }

    private static ReservationManager manager(DataSource dataSource) {
        return ReservationManager.jdbc(dataSource).domain("orders").leaseTime(LEASE).build();
    }

    @Test
    void whatAKilledProcessHeldIsFreeAfterItsLeaseAndNotBefore() throws Exception {
        try (OtherProcess other = new OtherProcess(database)) {
            Reservation ours = manager.getReservation("42");
            other.does("lock");

            long asked = System.nanoTime();
            Duration remaining = ours.getRemainingLeaseTime();
            other.kill();

            assertThat(ours.tryLock()).as("while the lease of the dead lasts").isFalse();
            assertThat(ours.tryLock(30, TimeUnit.SECONDS)).isTrue();
            Duration waited = Duration.ofNanos(System.nanoTime() - asked);
            assertThat(remaining).isBetween(Duration.ofMillis(1), LEASE);
            assertThat(waited).isBetween(remaining, remaining.plusSeconds(10));
            ours.unlock();
        }
    }

    @Test
    void twoProcessesWithSameThreadNameExcludeEachOther() throws Exception {
        opened.execute("CREATE TABLE counter (n INT); INSERT INTO counter VALUES (0)");
        Thread.currentThread().setName(OtherProcess.THREAD_NAME);
        try (OtherProcess other = new OtherProcess(database)) {
            Reservation ours = manager.getReservation("42");
            other.does("lock");

            assertThat(ours.tryLock()).isFalse();
            assertThat(ours.isHeldByCurrentThread()).isFalse();
            other.does("unlock");
            assertThat(ours.tryLock()).isTrue();
            assertThat(other.does("try")).isEqualTo("false");
            ours.unlock();

            other.starts("count");
            count(manager, pool);
            assertThat(other.answer()).isEqualTo("counted");
            assertThat(counted(pool)).isEqualTo(2 * ROUNDS);
        }
    }

    /** Counts in the database in two steps, which only an exclusive lock makes one. */
    private static void count(ReservationManager manager, DataSource dataSource) throws SQLException {
        Reservation reservation = manager.getReservation("42");
        for (int i = 0; i < ROUNDS; i++) {
            reservation.lock();
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement update = connection.prepareStatement("UPDATE counter SET n = ?")) {
                update.setInt(1, counted(dataSource) + 1);
                update.executeUpdate();
            } finally {
                reservation.unlock();
            }
        }
    }

    private static int counted(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT n FROM counter")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** A JVM that does what it is told, line by line; it ends with its input. */
    static final class OtherProcess implements AutoCloseable {

        static final String THREAD_NAME = "worker-1";

        private final Process process;
        private final Writer orders;
        private final BufferedReader answers;

        OtherProcess(Database database) throws IOException {
            process = new ProcessBuilder(
                    ProcessHandle.current().info().command().orElseThrow(), "-Xmx128m", "-XX:TieredStopAtLevel=1",
                    "-cp", System.getProperty("java.class.path"), OtherProcess.class.getName(),
                    database.url(), database.user(), database.password())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            orders = process.outputWriter();
            answers = process.inputReader();
            assertThat(answer()).isEqualTo("ready");
        }

        String does(String order) throws IOException {
            starts(order);
            return answer();
        }

        void starts(String order) throws IOException {
            orders.write(order + "\n");
            orders.flush();
        }

        String answer() throws IOException {
            return answers.readLine();
        }

        /** With SIGKILL: nothing of it runs any more. */
        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }

        public static void main(String[] args) throws Exception {
            Thread.currentThread().setName(THREAD_NAME);
            HikariDataSource pool = opened(args[0], args[1], args[2]).pool(8);
            ReservationManager manager = manager(pool);
            Reservation reservation = manager.getReservation("42");
            manager.listReservations();
            System.out.println("ready");
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                System.out.println(switch (order) {
                    case "lock" -> {
                        reservation.lock();
                        yield "locked";
                    }
                    case "unlock" -> {
                        reservation.unlock();
                        yield "unlocked";
                    }
                    case "try" -> reservation.tryLock();
                    case "count" -> {
                        count(manager, pool);
                        yield "counted";
                    }
                    default -> "What?";
                });
            }
        }
    }
}
