// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ReserveResult;
import com.github.reservation.demo.Documents;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.spring.ReservationManagers;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** Keeps docs/spring-boot.md and docs/coming-from.md true: the Java in them is compiled, and runs in an application on H2. */
class GuideTest {

    private static final String MODULE = "reservation-lock-spring-boot-starter/src/";
    private static final String SOURCES = MODULE + "test/java/com/github/reservation/spring/demo";
    private static final String METADATA = MODULE + "main/resources/META-INF/spring-configuration-metadata.json";
    private static final Set<String> OBSERVATIONS =
            Set.of("reservation.lock.acquire", "reservation.expiration.sweep");
    private static final Pattern PROPERTY = Pattern.compile("`(reservation\\.[a-z.-]+)(?:=[a-z0-9]+)?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/spring-boot.md", "docs/coming-from.md"})
    void everyJavaBlockIsCompiled(String page) throws IOException {
        assertThat(Documents.javaBlocks(Documents.read(page))).isNotEmpty()
                .isSubsetOf(Documents.regions(SOURCES).values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/spring-boot.md", "docs/coming-from.md"})
    void everyPropertyExists(String page) throws IOException {
        String metadata = Documents.read(METADATA);

        assertThat(PROPERTY.matcher(Documents.read(page)).results().map(property -> property.group(1)).distinct())
                .isNotEmpty()
                .filteredOn(property -> !OBSERVATIONS.contains(property))
                .allSatisfy(property -> assertThat(metadata).contains('"' + property + '"'));
    }

    @Test
    void theExamplesOfTheMoveRun() throws Exception {
        try (ConfigurableApplicationContext context =
                new SpringApplicationBuilder(Moved.class).web(WebApplicationType.NONE).run()) {
            Reports reports = context.getBean(Reports.class);
            Stock stock = context.getBean(Stock.class);

            reports.report();
            assertThat(reports.reportNow()).isTrue();
            assertThat(reports.pages()).containsExactly("customers", "orders", "orders");
            stock.change("4711");
            assertThat(stock.changeWithin("4711", Duration.ofSeconds(1))).isTrue();
            assertThat(stock.changeInTime("4711")).isTrue();
            stock.changeLater("4711").get(10, TimeUnit.SECONDS);
            assertThat(stock.changes()).isEqualTo(4);
        }
    }

    @Test
    void theExamplesRun() throws Exception {
        try (ConfigurableApplicationContext context =
                new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE).run()) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, parcels INT, label VARCHAR(20), fence BIGINT)");
            jdbc.execute("CREATE TABLE report (created DATE)");
            jdbc.execute("INSERT INTO orders VALUES (42, 0, NULL, 0)");
            jdbc.execute("CREATE TABLE users (id VARCHAR(10))");
            jdbc.execute("CREATE TABLE stock (free INT)");
            jdbc.execute("INSERT INTO stock VALUES (0)");
            jdbc.execute(
                    "CREATE TABLE held_orders (id BIGINT PRIMARY KEY, status VARCHAR(10), hold_ends_at TIMESTAMP)");
            jdbc.execute("INSERT INTO held_orders VALUES (7, 'HELD', TIMESTAMP '2020-01-01 00:00:00')");
            Orders orders = context.getBean(Orders.class);
            Shipping shipping = context.getBean(Shipping.class);

            orders.ship("42");
            shipping.ship(42);
            shipping.label(42);
            shipping.nightlyReport();
            assertThat(context.getBean(Carrier.class).pickUp(44, null).get(10, TimeUnit.SECONDS)).isEqualTo("Monday");

            assertThat(orders.tryToShip("43")).isTrue();
            assertThat(orders.shipped).containsExactly("42", "43");
            assertThat(jdbc.queryForMap("SELECT parcels, label FROM orders WHERE id = 42"))
                    .containsEntry("PARCELS", 1)
                    .containsEntry("LABEL", "printed");
            assertThat(jdbc.queryForList("SELECT * FROM report")).hasSize(1);
            assertThat(context.getBean(ReservationManagers.class).get("orders").getLeaseTime())
                    .isEqualTo(Duration.ofMinutes(10));
            signUp(context.getBean(SignUp.class));
            assertThat(jdbc.queryForList("SELECT * FROM users")).hasSize(1);
            context.getBean(ExpirationJob.class).runOnce(); // The first run of the schedule may have been too early.
            assertThat(context.getBean(HeldOrders.class).expired).containsExactly(7L);
            assertThat(jdbc.queryForObject("SELECT free FROM stock", Integer.class)).isEqualTo(1);
        }
    }

    @Test
    void theExampleOfTheOutboxRuns() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WithOutbox.class)
                .web(WebApplicationType.NONE)
                .run("--reservation.outbox.enabled=true")) {
            context.getBean(JdbcTemplate.class).execute("CREATE TABLE placed_orders (id BIGINT)");

            context.getBean(Checkout.class).place(42);

            await().untilAsserted(() -> assertThat(context.getBean(Checkout.class).mails()).containsExactly(42L));
        }
    }

    private static void signUp(SignUp signUp) {
        ReserveResult.Success email = (ReserveResult.Success) signUp.reserve("Alice@example.com");
        assertThat(signUp.reserve("alice@example.com")).isInstanceOf(ReserveResult.Conflict.class);

        signUp.complete(email.reservationId(), email.token(), "alice");

        assertThat(signUp.welcomed()).containsExactly("alice");
        assertThatIllegalStateException()
                .isThrownBy(() -> signUp.complete(email.reservationId(), email.token(), "bob"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Shipping.class, Carrier.class, Customizing.class, SignUp.class, EmailAddresses.class,
            HeldOrders.class})
    static class Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Reports.class, Stock.class})
    static class Moved {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Checkout.class)
    static class WithOutbox {}
}
