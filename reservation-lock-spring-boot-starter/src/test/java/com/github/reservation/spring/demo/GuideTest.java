// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.reservation.claim.ReserveResult;
import com.github.reservation.demo.Documents;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.spring.ReservationManagers;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** Keeps docs/spring-boot.md true: the Java in it is compiled, and runs in an application on H2. */
class GuideTest {

    private static final String MODULE = "reservation-lock-spring-boot-starter/src/";
    private static final String SOURCES = MODULE + "test/java/com/github/reservation/spring/demo";
    private static final String METADATA = MODULE + "main/resources/META-INF/spring-configuration-metadata.json";
    private static final Pattern PROPERTY = Pattern.compile("`(reservation\\.[a-z.-]+)(?:=[a-z0-9]+)?`");

    @Test
    void everyJavaBlockIsCompiled() throws IOException {
        assertThat(Documents.javaBlocks(guide())).isNotEmpty().isSubsetOf(Documents.regions(SOURCES).values());
    }

    @Test
    void everyPropertyExists() throws IOException {
        String metadata = Documents.read(METADATA);

        assertThat(PROPERTY.matcher(guide()).results().map(property -> property.group(1)).distinct())
                .isNotEmpty()
                .filteredOn(property -> !property.equals("reservation.reserved.acquire")) // an observation
                .allSatisfy(property -> assertThat(metadata).contains('"' + property + '"'));
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

    private static void signUp(SignUp signUp) {
        ReserveResult.Success email = (ReserveResult.Success) signUp.reserve("Alice@example.com");
        assertThat(signUp.reserve("alice@example.com")).isInstanceOf(ReserveResult.Conflict.class);

        signUp.complete(email.reservationId(), email.token(), "alice");

        assertThat(signUp.welcomed()).containsExactly("alice");
        assertThatIllegalStateException()
                .isThrownBy(() -> signUp.complete(email.reservationId(), email.token(), "bob"));
    }

    private static String guide() throws IOException {
        return Documents.read("docs/spring-boot.md");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Shipping.class, Customizing.class, SignUp.class, EmailAddresses.class, HeldOrders.class})
    static class Shop {}
}
