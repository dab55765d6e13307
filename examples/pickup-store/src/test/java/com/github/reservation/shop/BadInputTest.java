// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Requests that the shop refuses: each gets a clear problem, and changes nothing. */
@RunningShop
class BadInputTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private DatabaseClock clock;

    private Shop shop;
    private Account anna;
    private long lamp;
    private String before;

    @BeforeEach
    void openShop() {
        shop = new Shop(mvc, jdbc);
        anna = shop.customer();
        lamp = shop.product("Lamp", 5);
        await().until(() -> endingSoon() == 0); // Other tests leave orders behind.
        before = shop.contents();
    }

    private long endingSoon() {
        return jdbc.sql("SELECT COUNT(*) FROM orders WHERE status = 'RESERVED' AND hold_expires_at < ?")
                .param(DatabaseClock.column(clock.now().plusSeconds(2))).query(Long.class).single();
    }

    private void refused(MvcTestResult result, int status, String detail) {
        assertThat(result).hasStatus(status).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(result).bodyJson().extractingPath("$.detail").asString().contains(detail);
        assertThat(result).bodyJson().extractingPath("$.title").asString().isNotBlank();
        assertThat(shop.contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"storeId": 1, "lines": [{"productId": 9, "quantity": 1}]}            | 404 | has no product 9
            {"storeId": 1, "lines": [{"productId": 201, "quantity": 1}]}          | 404 | has no product 201
            {"storeId": 9, "lines": [{"productId": 101, "quantity": 1}]}          | 404 | no store 9
            {"storeId": 1, "lines": [{"productId": 101, "quantity": 0}]}          | 400 | between 1 and 10, but is 0
            {"storeId": 1, "lines": [{"productId": 101, "quantity": -1}]}         | 400 | between 1 and 10, but is -1
            {"storeId": 1, "lines": [{"productId": 101, "quantity": 2147483648}]} | 400 | but is 2147483648
            {"storeId": 1, "lines": [{"productId": 101, "quantity": 1e30}]}       | 400 | Failed to read request
            {"storeId": 1, "lines": [{"productId": 101, "quantity": 6}, {"productId": 101, "quantity": 6}]} | 400 | but is 12
            {"storeId": 1, "lines": [{"productId": 101}]}                         | 400 | quantity is missing
            {"storeId": 1, "lines": [{"quantity": 1}]}                            | 400 | productId is missing
            {"storeId": 1, "lines": [null]}                                       | 400 | line is missing
            {"storeId": 1, "lines": []}                                           | 400 | between 1 and 20 products
            {"storeId": 1}                                                        | 400 | lines is missing
            {"lines": [{"productId": 101, "quantity": 1}]}                        | 400 | storeId is missing
            {"storeId": 1, "hold": "P365D", "lines": [{"productId": 101, "quantity": 1}]} | 400 | at most PT15M
            {"storeId": 1, "hold": "PT0S", "lines": [{"productId": 101, "quantity": 1}]}  | 400 | must be positive
            {"storeId": 1, "hold": "-PT1M", "lines": [{"productId": 101, "quantity": 1}]} | 400 | must be positive
            {"storeId": 1, "hold": "soon", "lines": [{"productId": 101, "quantity": 1}]}  | 400 | Failed to read request
            {"storeId": 1, "lines": [                                             | 400 | Failed to read request
            []                                                                    | 400 | Failed to read request
            """)
    void aWrongOrderIsRefused(String json, int status, String detail) {
        refused(shop.post(anna, "/api/orders", json), status, detail);
    }

    @Test
    void anEmptyBodyIsRefused() {
        refused(shop.post(anna, "/api/orders", ""), 400, "Failed to read request");
    }

    @Test
    void anotherTypeThanJsonIsRefused() {
        refused(mvc.post().uri("/api/orders").with(user(anna)).contentType(MediaType.TEXT_PLAIN).content("lamp")
                .exchange(), 415, "text/plain");
    }

    @Test
    void anExpiredOrderCannotBeCompletedOrCancelled() throws Exception {
        long order = shop.reserve(anna, lamp, 1, "PT0.2S");
        await().until(() -> shop.status(order).equals("EXPIRED"));
        before = shop.contents();

        refused(shop.post(anna, "/api/orders/" + order + "/complete", ""), 409, "it is expired already");
        refused(shop.post(anna, "/api/orders/" + order + "/cancel", ""), 409, "it is expired already");
        assertThat(shop.submit(anna, "/orders/" + order + "/complete")).hasRedirectedUrl("/orders")
                .flash().extractingByKey("message").asString().contains("error", "it is expired already");
        assertThat(shop.contents()).isEqualTo(before);
    }

    @Test
    void anOrderCannotBeCancelledTwice() throws Exception {
        long order = shop.reserve(anna, lamp, 1, "PT1M");
        assertThat(shop.post(anna, "/api/orders/" + order + "/cancel", "")).hasStatusOk();
        before = shop.contents();

        refused(shop.post(anna, "/api/orders/" + order + "/cancel", ""), 409, "it is cancelled already");
        refused(shop.post(anna, "/api/orders/" + order + "/complete", ""), 409, "it is cancelled already");
    }

    @Test
    void theOrderOfAnotherCustomerIsRefused() throws Exception {
        long order = shop.reserve(anna, lamp, 1, "PT1M");
        Account ben = shop.customer();
        before = shop.contents();

        refused(mvc.get().uri("/api/orders/" + order).with(user(ben)).exchange(), 404, "You have no order " + order);
        refused(shop.post(ben, "/api/orders/" + order + "/complete", ""), 404, "You have no order " + order);
        refused(shop.post(ben, "/api/orders/" + order + "/cancel", ""), 404, "You have no order " + order);
        assertThat(shop.submit(ben, "/orders/" + order + "/cancel")).hasStatus(404).bodyText()
                .contains("You have no order " + order);
        assertThat(shop.contents()).isEqualTo(before);
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        refused(shop.get(anna, "/api/stores/9/products"), 404, "no store 9");
        refused(shop.get(anna, "/api/products/9"), 404, "no product 9");
        refused(shop.get(anna, "/api/orders/9999999"), 404, "You have no order 9999999");

        Account sam = shop.account(Role.STAFF);
        before = shop.contents();
        refused(shop.post(sam, "/api/stores/9/counts", ""), 404, "no store 9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/orders/x", "/api/orders/9223372036854775808", "/api/products/1.5"})
    void anIdThatIsNoNumberIsRefused(String path) {
        refused(shop.get(anna, path), 400, "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"email": "no address"}      | email must be an e-mail address
            {"email": ""}                | email must be an e-mail address
            {}                           | email must be an e-mail address
            {"email": "a@b"}             | email must be an e-mail address
            {"email": "<b>@example.com"} | email must be an e-mail address
            """)
    void aWrongEmailAddressIsRefused(String json, String detail) {
        refused(shop.post(anna, "/api/sign-ups", json), 400, detail);
    }

    @Test
    void anOverlongEmailAddressIsRefused() {
        refused(shop.post(anna, "/api/sign-ups", "{\"email\": \"%s@example.com\"}".formatted("a".repeat(300))), 400,
                "at most 254 characters");
    }

    @Test
    void anUnknownSignUpIsRefused() {
        refused(shop.post(anna, "/api/sign-ups/unknown/complete",
                "{\"token\": \"t\", \"name\": \"N\", \"password\": \"long enough\"}"),
                404, "There is no sign-up");
        refused(shop.post(anna, "/api/sign-ups/unknown/cancel", "{\"token\": \"t\"}"), 404, "There is no sign-up");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            %s               | long enough | name must have between 1 and 100
            Tab\\tbed       | long enough | Control characters
            ''               | long enough | name must have
            Nora             | short       | password must have at least 8
            Nora             | äääääääääääääääääääääääääääääääääääää | at most 72 bytes
            """)
    void aWrongNameOrPasswordIsRefused(String name, String password, String detail) throws Exception {
        MvcTestResult started = shop.post(anna, "/api/sign-ups", "{\"email\": \"nora%d@example.com\"}".formatted(lamp));
        String json = started.getResponse().getContentAsString();
        String path = "/api/sign-ups/" + JsonPath.read(json, "$.id");
        String token = JsonPath.read(json, "$.token");
        before = shop.contents();

        refused(shop.post(anna, path + "/complete", """
                {"token": "%s", "name": "%s", "password": "%s"}
                """.formatted(token, name.replace("%s", "x".repeat(101)), password)), 400, detail);
        refused(shop.post(anna, path + "/complete", """
                {"token": "another", "name": "Eve", "password": "long enough"}
                """), 409, "is over");
    }

    @Test
    void formsOfStaffAndOperatorNeedTheirTokensAndValues() {
        Account sam = shop.account(Role.STAFF);
        Account operator = new Account(0, "operator", "Operator", "", Role.OPERATOR);
        before = shop.contents();

        assertThat(mvc.post().uri("/counts/1").with(user(sam))).hasStatus(403);
        assertThat(mvc.post().uri("/operations/release").with(user(operator)).param("domain", "stock-count")
                .param("identifier", "1")).hasStatus(403);
        assertThat(shop.submit(sam, "/counts/9")).hasStatus(404);
        assertThat(shop.submit(sam, "/counts/1", "slow", "perhaps")).hasStatus(400);
        assertThat(shop.submit(operator, "/operations/release", "domain", "stock-count")).hasStatus(400);
        assertThat(shop.submit(operator, "/operations/release", "domain", "stock-count", "identifier", "x".repeat(5000),
                "acquisition", "?")).hasStatus(400);
        assertThat(shop.get(operator, "/operations/release?domain=stock-count&identifier=")).hasStatus(400);
        assertThat(shop.submit(operator, "/operations/release", "domain", "a::b", "identifier", "x".repeat(5000),
                "acquisition", "?")).hasRedirectedUrl("/operations").flash().extractingByKey("message").asString()
                .contains("Nobody holds");
        assertThat(shop.contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stores/1/orders", "/orders/1/cancel", "/orders/1/complete", "/notifications/read"})
    void aFormWithoutACsrfTokenIsRefused(String path) {
        assertThat(mvc.post().uri(path).with(user(anna)).param("quantity-" + lamp, "1")).hasStatus(403);

        assertThat(shop.contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sign-up", "/sign-up/email", "/sign-up/cancel", "/sign-in", "/sign-out"})
    void aFormForEverybodyNeedsItsTokenToo(String path) {
        assertThat(mvc.post().uri(path).param("email", "new@example.com")).hasStatus(403);

        assertThat(shop.contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"-1", "2147483648", "x", "11"})
    void aQuantityThatNoFormSendsIsAProblemPage(String quantity) {
        assertThat(shop.submit(anna, "/stores/1/orders", "quantity-" + lamp, quantity)).hasStatus(400);
        assertThat(shop.contents()).isEqualTo(before);
    }

    @Test
    void anEmptyFormIsAMessage() {
        assertThat(shop.submit(anna, "/stores/1/orders", "quantity-" + lamp, "0")).hasRedirectedUrl("/stores/1")
                .flash().extractingByKey("message").asString().contains("Choose at least one item");
        assertThat(shop.contents()).isEqualTo(before);
    }

    @Test
    void wrongPathsAreProblemPages() {
        assertThat(shop.get(anna, "/stores/9")).hasStatus(404).bodyText().contains("There is no store 9");
        assertThat(shop.get(anna, "/stores/x")).hasStatus(400);
        assertThat(shop.submit(anna, "/stores/9/orders", "quantity-" + lamp, "1")).hasStatus(404);
        assertThat(shop.submit(anna, "/orders/x/cancel")).hasStatus(400);
        assertThat(shop.contents()).isEqualTo(before);
    }
}
