// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import java.io.IOException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three instances, each in a process of its own. One is killed in the middle. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class ThreeProcessesTest {

    private static final int ORDERS = 10_000;

    private final Database database = PostgresServer.shared().newDatabase();
    private final PickupStore store = store(database.url(), database.user(), database.password());
    private final List<Instance> instances = new ArrayList<>();

    private static PickupStore store(String url, String user, String password) {
        return new PickupStore(new TestDatabase(Databases.POSTGRESQL, url, user, password));
    }

    @AfterEach
    void close() {
        instances.forEach(Instance::close);
        store.close();
    }

    @Test
    void everyRowExpiresOnce_alsoIfAnInstanceIsKilled() throws Exception {
        store.install().holdUpTo(ORDERS);
        for (int i = 0; i < 3; i++) {
            instances.add(new Instance(database));
        }

        for (Instance instance : instances) {
            instance.go();
        }
        await().pollInterval(Duration.ofMillis(5)).until(() -> store.count("EXPIRED") > ORDERS / 10);
        instances.getFirst().kill();
        assertThat(store.count("EXPIRED")).as("in the middle").isLessThan(ORDERS);

        for (Instance survivor : instances.subList(1, 3)) {
            assertThat(survivor.answer()).matches("[1-9][0-9]* processed, 0 failed, no failure");
        }
        // What the dead one had locked is free when the server has noticed.
        await().untilAsserted(() -> {
            assertThat(PickupStore.run(source(store)).failure()).isEmpty();
            assertThat(store.count("EXPIRED")).isEqualTo(ORDERS);
        });
        assertThat(store.stock()).isEqualTo((long) ORDERS * PickupStore.PIECES);
        assertThat(store.query("SELECT COUNT(*) FROM pickup_orders WHERE version <> 2")).isEqualTo("0");
    }

    /** Small batches, each with a pause, so that there is a middle. */
    private static TableExpirationSource<?> source(PickupStore store) {
        return store.source().batchSize(50).expireBatch((tx, batch) -> {
            try (Statement pause = tx.createStatement()) {
                pause.execute("SELECT pg_sleep(0.03)");
            }
            PickupOrders.returnStock(tx, batch);
        }).build();
    }

    /** A JVM that runs a job once when it is told to. */
    static final class Instance implements AutoCloseable {

        private final Process process;

        Instance(Database database) throws IOException {
            process = new ProcessBuilder(
                    ProcessHandle.current().info().command().orElseThrow(), "-Xmx128m", "-XX:TieredStopAtLevel=1",
                    "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file", ""),
                    "-cp", System.getProperty("java.class.path"), Instance.class.getName(),
                    database.url(), database.user(), database.password())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            assertThat(answer()).isEqualTo("ready");
        }

        void go() throws IOException {
            process.outputWriter().write("go\n");
            process.outputWriter().flush();
        }

        String answer() throws IOException {
            return process.inputReader().readLine();
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

        public static void main(String[] args) throws IOException {
            PickupStore store = store(args[0], args[1], args[2]);
            store.count("EXPIRED");
            System.out.println("ready");
            if (System.in.read() >= 0) {
                SourceRun run = PickupStore.run(source(store));
                System.out.println(run.processedCount() + " processed, " + run.failedCount() + " failed, "
                        + run.failure().map(Throwable::toString).orElse("no failure"));
            }
        }
    }
}
