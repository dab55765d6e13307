// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.Shop;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import com.github.reservation.spring.ReservationManagers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@RunningShop
class OperationsTest {

    private static final Account OPERATOR = new Account(0, "operator", "Operator", "", Role.OPERATOR);

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Operations operations;

    @Autowired
    private ReservationManagers managers;

    @Test
    void theOperatorSeesWhoHoldsWhatAndReleasesIt() {
        Shop shop = new Shop(mvc, jdbc);
        Reservation held = managers.get("stock-count").getReservation("77");
        held.lock();

        assertThat(operations.holder("stock-count", "77")).get().satisfies(holder -> {
            assertThat(holder.holder()).contains(Thread.currentThread().getName());
            assertThat(holder.remainingSeconds()).isPositive();
            assertThat(holder.fence()).isEqualTo(held.fencingToken().getAsLong());
        });
        assertThat(shop.get(OPERATOR, "/operations")).hasStatusOk();
        assertThat(shop.get(OPERATOR, "/operations/release?domain=stock-count&identifier=77")).hasStatusOk();
        String shown = operations.holder("stock-count", "77").orElseThrow().acquisition();
        assertThat(shop.submit(OPERATOR, "/operations/release", "domain", "stock-count", "identifier", "77",
                "acquisition", shown)).hasRedirectedUrl("/operations");

        assertThat(operations.holder("stock-count", "77")).isEmpty();
        assertThat(shop.submit(OPERATOR, "/operations/release", "domain", "stock-count", "identifier", "77",
                "acquisition", shown)).hasRedirectedUrl("/operations").flash().extractingByKey("message").asString()
                .contains("Nobody holds");
    }

    @Test
    void aLockThatHasAnotherHolderMeanwhileIsNotReleased() {
        Shop shop = new Shop(mvc, jdbc);
        Reservation held = managers.get("stock-count").getReservation("78");
        held.lock();
        String shown = operations.holder("stock-count", "78").orElseThrow().acquisition();
        held.unlock();
        held.lock();

        try {
            assertThat(shop.submit(OPERATOR, "/operations/release", "domain", "stock-count", "identifier", "78",
                    "acquisition", shown)).hasRedirectedUrl("/operations").flash().extractingByKey("message").asString()
                    .contains("error", "Somebody else holds");
            assertThat(held.isHeldByCurrentThread()).isTrue();
        } finally {
            held.unlock();
        }
    }

    @Test
    void theViewShowsClaimsOrdersRunsAndCharts() throws Exception {
        Shop shop = new Shop(mvc, jdbc);
        shop.reserve(shop.customer(), shop.product("Lamp", 1), 1, "PT0.2S");

        await().untilAsserted(() -> {
            OperationsView view = operations.view("8080");
            assertThat(view.orders()).anyMatch(one -> one.state().equals("EXPIRED") && one.count() > 0);
            assertThat(view.claims()).anyMatch(one -> one.state().equals("CONFIRMED") && one.count() > 0);
            assertThat(view.runs()).anyMatch(run -> run.source().equals("pickup-orders"));
            assertThat(view.charts()).extracting(Chart::id).isEqualTo(List.of("holds", "expirations", "waiting"));
            assertThat(view.charts().getFirst().points()).isNotEmpty();
        });
        assertThat(shop.get(OPERATOR, "/operations/state")).hasStatusOk();
    }
}
