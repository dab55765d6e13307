// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Two instances on one PostgreSQL are one shop, also when one of them is killed under load. */
@Needs(Backend.POSTGRESQL)
class TwoInstancesTest {

    private static final int BUYERS = 50;
    private static final int UNITS = 10;

    /** Read in one statement, which sees either all or nothing of each transaction. */
    private static final String BOOKS = """
            SELECT p.available,
                (SELECT COUNT(*) FROM orders WHERE status = 'RESERVED') AS held,
                (SELECT COUNT(*) FROM orders WHERE status = 'COMPLETED') AS sold
            FROM products p
            WHERE p.id = 1
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicBoolean open = new AtomicBoolean(true);
    private JdbcClient jdbc;
    private Instance first;
    private Instance second;

    /** What the books say at one moment. */
    record Books(int available, int held, int sold) {

        boolean areRight() {
            return available >= 0 && available + held + sold == UNITS;
        }
    }

    /** Both start at once, on an empty database. */
    @BeforeEach
    void open() {
        Database database = PostgresServer.shared().newDatabase();
        jdbc = JdbcClient.create(database.dataSource());
        String[] settings = {
                "--shop.demo-data=false", "--shop.hold=1s", "--reservation.expiration.interval=200ms",
                "--shop.operator-password=operator", "--reservation.outbox.poll-interval=200ms",
                "--reservation.outbox.lease-time=5s"};
        first = Instance.start(database, Instance.freePort(), settings);
        second = Instance.start(database, Instance.freePort(), settings);
        first.awaitOpen();
        second.awaitOpen();
        fill();
    }

    private void fill() {
        jdbc.sql("INSERT INTO stores VALUES (1, 'Store', 'City')").update();
        jdbc.sql("INSERT INTO products VALUES (1, 1, 'Last one', 'book', '', 100, ?)").param(UNITS).update();
        String hash = new BCryptPasswordEncoder(4).encode("password");
        for (int number = 0; number < BUYERS; number++) {
            jdbc.sql("INSERT INTO customers (email, name, password, role) VALUES (?, 'Buyer', ?, 'CUSTOMER')")
                    .params("buyer" + number + "@example.com", hash).update();
        }
    }

    @AfterEach
    void close() {
        open.set(false);
        first.close();
        second.close();
        http.close();
    }

    @Test
    void nothingIsSoldTwiceAndNothingIsLostWhenOneInstanceIsKilled() throws Exception {
        List<String> live = new CopyOnWriteArrayList<>();
        AtomicInteger reserved = new AtomicInteger();
        List<Books> wrong = new CopyOnWriteArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> listen(second, live));
            List<Future<?>> buyers = new ArrayList<>();
            for (int number = 0; number < BUYERS; number++) {
                buyers.add(threads.submit(
                        new Buyer(http, List.of(first, second), number, open::get, reserved)));
            }
            Future<?> auditor = threads.submit(() -> audit(wrong));

            await().atMost(Duration.ofSeconds(30)).until(() -> expired() >= 15);
            await("the second instance sees what the first one does").until(() -> !live.isEmpty());
            second.kill();
            int before = reserved.get();
            await().atMost(Duration.ofSeconds(30)).until(() -> expired() >= 30 && reserved.get() > before);
            open.set(false);
            for (Future<?> buyer : buyers) {
                buyer.get();
            }
            auditor.get();
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> books().held() == 0);
        assertThat(wrong).isEmpty();
        assertThat(books()).matches(Books::areRight).matches(books -> books.available() + books.sold() == UNITS);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(toldOrders()).isEqualTo(expiredOrders()));
    }

    private void audit(List<Books> wrong) {
        while (open.get()) {
            Books now = books();
            if (!now.areRight()) {
                wrong.add(now);
            }
        }
    }

    private Books books() {
        return jdbc.sql(BOOKS).query(Books.class).single();
    }

    private long expired() {
        return jdbc.sql("SELECT COUNT(*) FROM orders WHERE status = 'EXPIRED'").query(Long.class).single();
    }

    private List<Long> expiredOrders() {
        return jdbc.sql("SELECT id FROM orders WHERE status = 'EXPIRED' ORDER BY id").query(Long.class).list();
    }

    /** One for each notification: an order that was told twice would come twice. */
    private List<Long> toldOrders() {
        return jdbc.sql("SELECT order_id FROM notifications ORDER BY order_id").query(Long.class).list();
    }

    private void listen(Instance instance, List<String> live) {
        try {
            HttpResponse<Stream<String>> answer = http.send(
                    HttpRequest.newBuilder(instance.uri("/events")).build(), HttpResponse.BodyHandlers.ofLines());
            answer.body().filter(line -> line.startsWith("data:")).forEach(live::add);
        } catch (Exception e) {
            return; // The instance was killed, as it should be.
        }
    }
}
