// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.Shop;
import com.github.reservation.shop.customer.Account;
import java.io.UnsupportedEncodingException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@RunningShop
class OpenPageTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void anOpenPageLearnsOfStockOrdersAndNotifications() throws Exception {
        Shop shop = new Shop(mvc, jdbc);
        Account anna = shop.customer();
        long lamp = shop.product("Lamp", 5);
        MvcTestResult page = mvc.get().uri("/events").with(user(anna)).asyncExchange();
        await().until(() -> text(page).contains(stock(lamp, 5)));

        shop.reserve(anna, lamp, 2, "PT3S");

        await().until(() -> text(page).contains(stock(lamp, 3)));
        await().until(() -> text(page).contains("{\"unread\":1}"));
        await().until(() -> text(page).lastIndexOf(stock(lamp, 5)) > text(page).indexOf(stock(lamp, 3)));
        assertThat(text(page).split("event:orders", -1)).as("at the start, reserved, expired").hasSize(4);
    }

    private static String stock(long productId, int available) {
        return "{\"productId\":%d,\"storeId\":1,\"available\":%d}".formatted(productId, available);
    }

    private static String text(MvcTestResult page) throws UnsupportedEncodingException {
        return page.getMvcResult().getResponse().getContentAsString();
    }
}
