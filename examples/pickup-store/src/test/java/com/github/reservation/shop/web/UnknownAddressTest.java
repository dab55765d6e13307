// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.Shop;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@RunningShop
class UnknownAddressTest {

    /** What Chromium sends when it opens a page. */
    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    private Account anna;

    @BeforeEach
    void signIn() {
        anna = new Shop(mvc, jdbc).account(Role.CUSTOMER);
    }

    private MvcTestResult get(String path, String accepted) {
        return mvc.get().uri(path).header("Accept", accepted)
                .with(SecurityMockMvcRequestPostProcessors.user(anna)).exchange();
    }

    @ParameterizedTest
    @CsvSource({
            "/no/such/page,    404, There is no such page,        /",
            "/stores/1/orders, 405, There is nothing to see here, /stores/1"})
    void aBrowserSeesAPage(String path, int status, String title, String back) {
        assertThat(get(path, BROWSER)).hasStatus(status).hasContentTypeCompatibleWith(MediaType.TEXT_HTML)
                .bodyText().contains(title, "href=\"" + back + "\"", anna.name());
    }

    @ParameterizedTest
    @CsvSource({
            "/no/such/page,            404, '*/*'",
            "/no/such/page,            404, 'application/json, */*'",
            "/api/no/such/address,     404, '*/*'",
            "/api/no/such/address,     404, 'text/html, */*'",
            "/api/orders/1/complete,   405, 'text/html, */*'"})
    void aClientOfTheApiGetsAProblem(String path, int status, String accepted) {
        assertThat(get(path, accepted)).hasStatus(status)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson().extractingPath("$.status").isEqualTo(status);
    }

    @Test
    void aGuestSeesAPageToo() {
        assertThat(mvc.get().uri("/no/such/page").header("Accept", BROWSER)).hasStatus(404)
                .hasContentTypeCompatibleWith(MediaType.TEXT_HTML).bodyText().contains("Sign up");
    }
}
