// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.Shop;
import com.github.reservation.shop.customer.Account;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@RunningShop
class OrdersTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Notifications notifications;

    private Shop shop;
    private Account anna;

    @BeforeEach
    void openShop() {
        shop = new Shop(mvc, jdbc);
        anna = shop.customer();
    }

    @Test
    void aReservationTakesStockAndACancellationReturnsIt() throws Exception {
        long lamp = shop.product("Lamp", 5);

        long order = shop.reserve(anna, lamp, 2, "PT1M");
        assertThat(shop.available(lamp)).isEqualTo(3);

        assertThat(shop.post(anna, "/api/orders/" + order + "/cancel", "")).hasStatusOk();
        assertThat(shop.available(lamp)).isEqualTo(5);
        assertThat(shop.status(order)).isEqualTo("CANCELLED");
    }

    @Test
    void aPickedUpOrderKeepsItsStockAndDoesNotExpire() throws Exception {
        long lamp = shop.product("Lamp", 5);
        long order = shop.reserve(anna, lamp, 2, "PT1.5S");

        assertThat(shop.post(anna, "/api/orders/" + order + "/complete", "")).hasStatusOk();

        long other = shop.reserve(anna, lamp, 1, "PT1.7S");
        await().until(() -> shop.status(other).equals("EXPIRED"));
        assertThat(shop.status(order)).isEqualTo("COMPLETED");
        assertThat(shop.available(lamp)).isEqualTo(3);
    }

    @Test
    void anOrderThatNobodyPicksUpExpiresAndItsCustomerIsToldOnce() throws Exception {
        long lamp = shop.product("Lamp", 5);
        long book = shop.product("Book", 5);
        assertThat(shop.post(anna, "/api/orders", """
                {"storeId": 1, "hold": "PT1S", "lines": [
                    {"productId": %d, "quantity": 2},
                    {"productId": %d, "quantity": 1},
                    {"productId": %d, "quantity": 1}
                ]}
                """.formatted(book, lamp, book))).hasStatus(201);
        assertThat(shop.available(book)).as("two lines of one product are added up").isEqualTo(2);

        await().until(() -> notifications.list(anna.id()).size() == 1);

        assertThat(shop.available(lamp)).isEqualTo(5);
        assertThat(shop.available(book)).isEqualTo(5);
        assertThat(notifications.list(anna.id()).getFirst().text()).contains("back on sale");
        assertThat(notifications.unread(anna.id())).isEqualTo(1);
    }

    @Test
    void anEventThatComesTwiceIsWrittenOnce() throws Exception {
        long order = shop.reserve(anna, shop.product("Lamp", 1), 1, "PT0.2S");
        await().until(() -> notifications.list(anna.id()).size() == 1);

        notifications.on(new ReservationExpired(
                String.valueOf(order), "1", String.valueOf(anna.id()), Instant.EPOCH));

        assertThat(notifications.list(anna.id())).hasSize(1);
    }

    @Test
    void ifOneProductIsSoldOutNothingIsTaken() {
        long lamp = shop.product("Lamp", 5);
        long rare = shop.product("Rare lamp", 1);

        assertThat(shop.post(anna, "/api/orders", """
                {"storeId": 1, "lines": [{"productId": %d, "quantity": 1}, {"productId": %d, "quantity": 2}]}
                """.formatted(lamp, rare))).hasStatus(409).bodyJson().extractingPath("$.detail").asString()
                .isEqualTo("You want 2 of Rare lamp, but only 1 can be had.");

        assertThat(shop.available(lamp)).isEqualTo(5);
        assertThat(shop.available(rare)).isEqualTo(1);
    }

    @Test
    void theFormReservesAllChosenProductsInOneOrder() {
        long lamp = shop.product("Lamp", 5);
        long book = shop.product("Book", 5);

        assertThat(shop.submit(anna, "/stores/1/orders",
                "quantity-" + lamp, "2", "quantity-" + book, "1", "quantity-101", "0", "quantity-102", ""))
                .hasStatus3xxRedirection().hasRedirectedUrl("/stores/1");

        assertThat(shop.available(lamp)).isEqualTo(3);
        assertThat(shop.available(book)).isEqualTo(4);
        assertThat(shop.get(anna, "/orders")).hasStatusOk().bodyText().contains("Lamp", "Book");
        assertThat(shop.get(anna, "/orders/list")).hasStatusOk().bodyText().contains("Lamp");
    }

    @Test
    void whatIsSoldOutIsAMessageOnThePageOfTheStore() {
        long lamp = shop.product("Lamp", 0);

        assertThat(shop.submit(anna, "/stores/1/orders", "quantity-" + lamp, "1"))
                .hasRedirectedUrl("/stores/1")
                .flash().extractingByKey("message").hasToString(
                        "Message[kind=error, text=Lamp is sold out at the moment.]");
    }

    @Test
    void notificationsCanBeMarkedAsSeen() throws Exception {
        shop.reserve(anna, shop.product("Lamp", 1), 1, "PT0.2S");
        await().until(() -> notifications.unread(anna.id()) == 1);

        assertThat(shop.submit(anna, "/notifications/read")).hasRedirectedUrl("/orders");

        assertThat(notifications.unread(anna.id())).isZero();
        assertThat(shop.get(anna, "/notifications")).hasStatusOk();
    }
}
