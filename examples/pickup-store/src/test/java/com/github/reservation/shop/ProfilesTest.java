// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.MySqlServer;
import com.github.reservation.spring.ReservationManagers;
import com.hazelcast.core.HazelcastInstance;
import com.jayway.jsonpath.JsonPath;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The profiles {@code mariadb}, {@code mysql} and {@code hazelcast}: all data in a database, and locks there or in Hazelcast. */
class ProfilesTest {

    @Test
    void dataIsInMariaDbAndLocksAreInHazelcast() throws Exception {
        try (ConfigurableApplicationContext context = start("mariadb,hazelcast", MariaDbServer.shared());
                HttpClient http = HttpClient.newHttpClient()) {
            assertReservesExpiresAndSignsUp(context, http);

            // The shop counted with tokens before, when its locks were in the database.
            JdbcClient jdbc = context.getBean(JdbcClient.class);
            jdbc.sql("INSERT INTO stock_counts (store_id, fence) VALUES (1, 1000)").update();
            assertThat(post(http, shop(context) + "/api/stores/1/counts", "sam@example.com", ""))
                    .containsPattern("\"fence\":\\d{10,}"); // Hazelcast's tokens are greater: they grow with the clock.
            assertThat(jdbc.sql("SELECT counted_units FROM stock_counts").query(Integer.class).optional()).isPresent();
            context.getBean(ReservationManagers.class).get("stock-count").run("1", held -> assertThat(
                    context.getBean(HazelcastInstance.class).getMap("reservations-stock-count").get("1"))
                    .asString().startsWith("holder="));
        }
    }

    @Test
    void dataAndLocksAreInMySql() throws Exception {
        try (ConfigurableApplicationContext context = start("mysql", MySqlServer.shared());
                HttpClient http = HttpClient.newHttpClient()) {
            assertReservesExpiresAndSignsUp(context, http);

            assertThat(post(http, shop(context) + "/api/stores/1/counts", "sam@example.com", ""))
                    .containsPattern("\"fence\":\\d+");
            JdbcClient jdbc = context.getBean(JdbcClient.class);
            assertThat(jdbc.sql("SELECT counted_fence FROM stock_counts").query(Long.class).single())
                    .isEqualTo(jdbc.sql("SELECT fence FROM RESERVATION_LOCKS WHERE reservation_key = 'stock-count::1'")
                            .query(Long.class).single());
        }
    }

    private static ConfigurableApplicationContext start(String profiles, DatabaseServer server) {
        Database database = server.newDatabase();
        return SpringApplication.run(
                PickupStore.class,
                "--spring.profiles.active=" + profiles,
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--server.port=0",
                "--shop.operator-password=operator",
                "--shop.count.takes=100ms");
    }

    private static String shop(ConfigurableApplicationContext context) {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    private static void assertReservesExpiresAndSignsUp(ConfigurableApplicationContext context, HttpClient http)
            throws Exception {
        String shop = shop(context);
        JdbcClient jdbc = context.getBean(JdbcClient.class);

        assertThat(context.getBean(DatabaseClock.class).now()).isCloseTo(Instant.now(), within(5, SECONDS));
        assertThat(post(http, shop + "/api/orders", "anna@example.com", """
                    {"storeId": 1, "hold": "PT0.5S", "lines": [{"productId": 101, "quantity": 2}]}
                    """)).contains("RESERVED");
        await().until(() -> jdbc.sql("SELECT COUNT(*) FROM notifications").query(Long.class).single() == 1);
        assertThat(jdbc.sql("SELECT available FROM products WHERE id = 101").query(Integer.class).single())
                .isEqualTo(8);
        assertThat(post(http, shop + "/api/sign-ups", "anna@example.com", "{\"email\": \"Ben@example.com\"}"))
                .contains("has an account already");

        String started =
                post(http, shop + "/api/sign-ups", "anna@example.com", "{\"email\": \"änna@example.com\"}");
        assertThat(post(http, shop + "/api/sign-ups/" + JsonPath.read(started, "$.id") + "/complete",
                "anna@example.com", """
                            {"token": "%s", "name": "李雷", "password": "long enough"}
                            """.formatted(JsonPath.<String>read(started, "$.token")))).contains("李雷");
    }

    private static String post(HttpClient http, String uri, String account, String json) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(uri))
                .header("Authorization",
                        "Basic " + Base64.getEncoder().encodeToString((account + ":demo-demo").getBytes()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(), HttpResponse.BodyHandlers.ofString()).body();
    }
}
