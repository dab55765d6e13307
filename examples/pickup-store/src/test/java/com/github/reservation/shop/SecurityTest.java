// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Accounts;
import com.github.reservation.shop.customer.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@RunningShop
class SecurityTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Accounts accounts;

    private Shop shop;

    @BeforeEach
    void openShop() {
        shop = new Shop(mvc, jdbc);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/operations", "/operations/state", "/operations/release?domain=a&identifier=b"})
    void onlyTheOperatorSeesOperations(String path) {
        assertThat(mvc.get().uri(path)).hasStatus3xxRedirection();
        assertThat(shop.get(shop.customer(), path)).hasStatus(403);
        assertThat(shop.get(shop.account(Role.STAFF), path)).hasStatus(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator", "/actuator/health", "/actuator/metrics", "/actuator/reservations",
            "/actuator/reservationoutbox"})
    void onlyTheOperatorReadsTheActuator(String path) {
        assertThat(mvc.get().uri(path)).hasStatus(401);
        assertThat(mvc.get().uri(path).with(httpBasic("anna@example.com", "demo-demo"))).hasStatus(403);
        assertThat(mvc.get().uri(path).with(httpBasic("operator", "wrong"))).hasStatus(401);
        assertThat(mvc.get().uri(path).with(httpBasic("operator", "operator"))).hasStatusOk();
    }

    @Test
    void customersDoNotCountTheStock() {
        assertThat(shop.get(shop.customer(), "/counts")).hasStatus(403);
        assertThat(shop.submit(shop.customer(), "/counts/1")).hasStatus(403);
        assertThat(shop.post(shop.customer(), "/api/stores/1/counts", "")).hasStatus(403)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
    }

    @Test
    void theApiNeedsAPasswordAndDoesNotLetBrowsersAskForIt() {
        assertThat(mvc.get().uri("/api/orders")).hasStatus(401)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .headers().hasValue("WWW-Authenticate", "xBasic realm=\"pickup-store\"");
        assertThat(mvc.get().uri("/api/orders").with(httpBasic("anna@example.com", "wrong"))).hasStatus(401);
        assertThat(mvc.get().uri("/api/orders").with(httpBasic("Anna@Example.com", "demo-demo"))).hasStatusOk();
    }

    @Test
    void theSessionOfAPageDoesNotSignInARequestOfTheApi() {
        MockHttpSession session = new MockHttpSession();
        assertThat(mvc.post().uri("/sign-in").session(session).with(csrf())
                .param("username", "anna@example.com").param("password", "demo-demo")).hasRedirectedUrl("/");
        assertThat(mvc.get().uri("/orders").session(session)).hasStatusOk();

        assertThat(mvc.post().uri("/api/orders").session(session).contentType(MediaType.APPLICATION_JSON).content("{}"))
                .hasStatus(401);
    }

    @Test
    void aRequestOfTheApiLeavesTheSessionOfThePageAlone() {
        MockHttpSession session = new MockHttpSession();
        mvc.post().uri("/sign-in").session(session).with(csrf())
                .param("username", "anna@example.com").param("password", "demo-demo").exchange();
        String id = session.getId();

        assertThat(mvc.get().uri("/api/orders").session(session).with(httpBasic("ben@example.com", "demo-demo")))
                .hasStatusOk();

        assertThat(session.getId()).isEqualTo(id);
        assertThat(mvc.get().uri("/orders").session(session)).hasStatusOk().bodyText().contains("Anna");
    }

    @Test
    void aWrongPasswordDoesNotSignIn() {
        assertThat(mvc.post().uri("/sign-in").with(csrf())
                .param("username", "anna@example.com").param("password", "wrong")).hasRedirectedUrl("/sign-in?error");
        assertThat(mvc.get().uri("/sign-in?error")).hasStatusOk();
    }

    @Test
    void pagesHaveTheHeadersThatBrowsersHeed() {
        assertThat(mvc.get().uri("/")).hasStatusOk().headers()
                .containsHeader("Content-Security-Policy")
                .hasValue("X-Content-Type-Options", "nosniff")
                .hasValue("X-Frame-Options", "DENY")
                .hasValue("Referrer-Policy", "same-origin");
        assertThat(mvc.get().uri("/").exchange().getResponse().getHeader("Content-Security-Policy"))
                .contains("script-src 'self'").doesNotContain("unsafe");
    }

    @Test
    void namesAreEscaped() throws Exception {
        String name = "<img src=x onerror=alert(1)>";
        long product = shop.product(name, 3);
        Account eve = accounts.create("eve" + product + "@example.com", name, "password", Role.CUSTOMER);
        shop.reserve(eve, product, 1, "PT1M");

        for (String path : new String[]{"/stores/1", "/orders", "/orders/list"}) {
            assertThat(mvc.get().uri(path).with(user(eve))).as(path).hasStatusOk().bodyText()
                    .contains("&lt;img src=x onerror=alert(1)&gt;").doesNotContain("<img src=x");
        }
    }
}
