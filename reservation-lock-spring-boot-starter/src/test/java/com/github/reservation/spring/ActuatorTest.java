// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationManager;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxQuery;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The actuator of a whole web application on H2, over HTTP. */
class ActuatorTest {

    private static ConfigurableApplicationContext context;
    private static HttpClient client;

    private ReservationManager orders;

    @BeforeAll
    static void start() {
        context = start(
                "--management.endpoint.reservations.access=unrestricted",
                "--management.endpoint.reservationoutbox.access=unrestricted");
        client = HttpClient.newHttpClient();
    }

    private static ConfigurableApplicationContext start(String... access) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0", "server.address=127.0.0.1", "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always", "reservation.outbox.enabled=true",
                        "reservation.outbox.retry-for=0", "reservation.outbox.poll-interval=20ms")
                .run(access);
    }

    @AfterAll
    static void stop() {
        client.close();
        context.close();
    }

    @BeforeEach
    void findOrders() {
        orders = context.getBean(ReservationManagers.class).get("orders");
    }

    @Test
    void theDomainsAreListed() throws Exception {
        assertThat(get("/reservations").body()).contains("\"domains\":[", "\"orders\"");
    }

    @Test
    void theHeldReservationsOfADomainAreListedInPages() throws Exception {
        orders.run("a", a -> orders.run("b", b -> orders.run("c", c -> {
            HttpResponse<String> first = get("/reservations/orders?size=2");
            HttpResponse<String> second = get("/reservations/orders?size=2&page=1");

            assertThat(first.body())
                    .contains("\"total\":3", "\"identifier\":\"a\"", "\"identifier\":\"b\"", "\"fencingToken\":")
                    .contains("\"holder\":\"", "\"since\":\"", "\"remaining\":\"PT")
                    .doesNotContain("\"identifier\":\"c\"");
            assertThat(second.body()).contains("\"total\":3", "\"identifier\":\"c\"")
                    .doesNotContain("\"identifier\":\"a\"");
        })));
    }

    @Test
    void aPageThatIsNoneIsRefused() throws Exception {
        assertThat(get("/reservations/orders?size=0").statusCode()).isEqualTo(400);
        assertThat(get("/reservations/orders?page=-1").statusCode()).isEqualTo(400);
        assertThat(get("/reservations/orders?page=2147483647&size=1000").body()).contains("\"reservations\":[]");
        assertThat(get("/reservations/unheard").statusCode()).isEqualTo(404);
        assertThat(context.getBean(ReservationManagers.class).find("unheard")).isEmpty();
    }

    @Test
    void aReservationCanBeReleasedByForce() throws Exception {
        orders.getReservation("a/b c").lock();

        HttpResponse<String> released = send("DELETE", "/reservations/orders?identifier=a%2Fb%20c");

        assertThat(released.statusCode()).isEqualTo(204);
        assertThat(orders.getReservation("a/b c").isLocked()).isFalse();
        assertThat(send("DELETE", "/reservations/unheard?identifier=x").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/reservations/orders?identifier=a::b").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/reservations/orders").statusCode()).isEqualTo(400);
    }

    @Test
    void healthAsksTheStore() throws Exception {
        assertThat(get("/health").body()).contains("\"reservations\":{", "\"status\":\"UP\"", "\"orders\"");
    }

    @Test
    void theOutboxShowsItsBacklogAndTakesOrders() throws Exception {
        assertThat(get("/reservationoutbox").body()).contains("\"pending\":0", "\"parked\":0", "\"events\":[]");
        assertThat(get("/reservationoutbox?size=0").statusCode()).isEqualTo(400);
        assertThat(get("/reservationoutbox?listener=a%20b").statusCode()).isEqualTo(400);
        assertThat(send("POST", "/reservationoutbox/17").body()).contains("\"changed\":0");
        assertThat(send("DELETE", "/reservationoutbox/17").body()).contains("\"changed\":0");
        assertThat(get("/health").body()).contains("\"outbox\":{\"pending\":0,\"parked\":0}");
    }

    @Test
    void anOperatorSeesWhatWaitsForWhom_andRetriesDiscardsAndForgetsIt() throws Exception {
        Broken broken = context.getBean(Broken.class);
        try {
            broken.append("a", new Bill(1));
            broken.append("b", new Bill(2));
            broken.append("c", new Bill(3));
            await().untilAsserted(() -> assertThat(get("/reservationoutbox").body()).contains("\"parked\":3"));
            String type = "type=" + Bill.class.getName().replace("$", "%24");

            assertThat(get("/reservationoutbox/listeners").body())
                    .contains("\"id\":\"spring\"", "\"parked\":3", Bill.class.getName(), "\"oldest\":\"PT");
            assertThat(get("/reservationoutbox/others").statusCode()).isEqualTo(400);
            assertThat(get("/reservationoutbox?key=b&listener=spring&" + type).body())
                    .contains("\"key\":\"b\"", "\"listeners\":[\"spring\"]", "out of paper")
                    .doesNotContain("\"key\":\"a\"", "number");
            assertThat(get("/reservationoutbox?listener=nobody").body()).contains("\"events\":[]");

            assertThat(send("DELETE", "/reservationoutbox").statusCode()).as("nothing is named").isEqualTo(400);
            assertThat(send("DELETE", "/reservationoutbox?key=a").body()).contains("\"changed\":1");
            broken.isBroken.set(false);
            assertThat(send("POST", "/reservationoutbox", "{\"kye\":\"b\"}").statusCode())
                    .as("nothing is named").isEqualTo(400);
            assertThat(send("POST", "/reservationoutbox", "{\"key\":\"b\"}").body()).contains("\"changed\":1");
            await().untilAsserted(() -> assertThat(broken.printed).containsExactly(new Bill(2)));

            assertThat(send("DELETE", "/reservationoutbox/listeners/spring?" + type).body()).contains("\"changed\":1");
            assertThat(get("/reservationoutbox?parked=false").body()).contains("\"events\":[]");
            assertThat(send("DELETE", "/reservationoutbox/listeners/nobody").body()).contains("\"changed\":0");
        } finally {
            context.getBean(Outbox.class).discardAll(OutboxQuery.all());
        }
    }

    @Test
    void infoSaysWhereReservationsAreKept() throws Exception {
        assertThat(get("/info").body()).contains(
                "\"reservations\":{", "\"kept\":\"in table RESERVATION_LOCKS", "\"leaseTime\":\"PT1M\"", "\"orders\"");
    }

    @Test
    void metersAreInTheRegistryOfTheApplication() throws Exception {
        orders.run("metered", held -> {});

        assertThat(get("/metrics/reservation.acquire?tag=domain:orders&tag=backend:jdbc").statusCode()).isEqualTo(200);
    }

    @Test
    void theEndpointIsThereOnlyForThoseWhoAskForIt() throws Exception {
        try (ConfigurableApplicationContext other = start("--spring.main.banner-mode=off")) {
            assertThat(other.getBeansOfType(ReservationsEndpoint.class)).isEmpty();
            assertThat(get(other, "/reservations").statusCode()).isEqualTo(404);
            assertThat(get(other, "/reservationoutbox").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void readOnlyAccessCannotRelease() throws Exception {
        try (ConfigurableApplicationContext other = start("--management.endpoint.reservations.access=read-only")) {
            assertThat(get(other, "/reservations").statusCode()).isEqualTo(200);
            assertThat(send(other, "DELETE", "/reservations/orders?identifier=42").statusCode()).isEqualTo(405);
        }
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send("GET", path);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path) throws Exception {
        return send(application, "GET", path);
    }

    private static HttpResponse<String> send(String method, String path) throws Exception {
        return send(context, method, path);
    }

    private static HttpResponse<String> send(ConfigurableApplicationContext application, String method, String path)
            throws Exception {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator" + path);
        return client.send(HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> send(String method, String path, String json) throws Exception {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator" + path);
        return client.send(HttpRequest.newBuilder(uri).header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json)).build(), BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Broken.class)
    static class Application {}

    public record Bill(int number) {}

    /** A listener that fails until a test repairs it. */
    static class Broken {

        final AtomicBoolean isBroken = new AtomicBoolean(true);
        final List<Bill> printed = new CopyOnWriteArrayList<>();
        private final TransactionTemplate transaction;
        private final TransactionalOutbox outbox;

        Broken(TransactionTemplate transaction, TransactionalOutbox outbox) {
            this.transaction = transaction;
            this.outbox = outbox;
        }

        void append(String key, Bill bill) {
            transaction.executeWithoutResult(status -> outbox.append(key, bill));
        }

        @EventListener
        public void print(Bill bill) {
            if (isBroken.get()) {
                throw new IllegalStateException("out of paper");
            }
            printed.add(bill);
        }
    }
}
