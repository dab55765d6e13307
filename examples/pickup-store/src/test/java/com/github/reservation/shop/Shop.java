// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** The shop as tests use it: each has its own customers and its own products. */
public final class Shop {

    /** Downwards: on MySQL the ids that the database draws go on after the highest that a test has chosen. */
    private static final AtomicLong NUMBERS = new AtomicLong(1_000_000);

    private final MockMvcTester mvc;
    private final JdbcClient jdbc;

    public Shop(MockMvcTester mvc, JdbcClient jdbc) {
        this.mvc = mvc;
        this.jdbc = jdbc;
    }

    public Account customer() {
        return account(Role.CUSTOMER);
    }

    public Account account(Role role) {
        long number = NUMBERS.decrementAndGet();
        Account account = new Account(number, "test" + number + "@example.com", "Test " + number, "no password", role);
        jdbc.sql("INSERT INTO customers (id, email, name, password, role) VALUES (?, ?, ?, ?, ?)")
                .params(number, account.email(), account.name(), account.password(), role.name()).update();
        return account;
    }

    /** Adds a product to store 1, and returns its id. */
    public long product(String name, int available) {
        long id = NUMBERS.decrementAndGet();
        jdbc.sql("""
                INSERT INTO products (id, store_id, name, category, description, price_cents, available)
                VALUES (?, 1, ?, 'book', 'For a test', 1000, ?)
                """).params(id, name, available).update();
        return id;
    }

    public int available(long productId) {
        return jdbc.sql("SELECT available FROM products WHERE id = ?").param(productId).query(Integer.class).single();
    }

    /** Sends JSON to the API. */
    public MvcTestResult post(Account account, String path, String json) {
        return mvc.post().uri(path).with(user(account)).contentType(MediaType.APPLICATION_JSON).content(json)
                .exchange();
    }

    /** Sends a form, with its CSRF token: names and values take turns. */
    public MvcTestResult submit(Account account, String path, String... fields) {
        MockMvcTester.MockMvcRequestBuilder request = mvc.post().uri(path).with(user(account)).with(csrf());
        for (int index = 0; index < fields.length; index += 2) {
            request.param(fields[index], fields[index + 1]);
        }
        return request.exchange();
    }

    public MvcTestResult get(Account account, String path) {
        return mvc.get().uri(path).with(user(account)).exchange();
    }

    /** Reserves one product for as long as the text says, and returns the id of the order. */
    public long reserve(Account account, long productId, int quantity, String hold) throws Exception {
        MvcTestResult result = post(account, "/api/orders", """
                {"storeId": 1, "hold": "%s", "lines": [{"productId": %d, "quantity": %d}]}
                """.formatted(hold, productId, quantity));
        if (result.getResponse().getStatus() != 201) {
            throw new AssertionError(result.getResponse().getContentAsString());
        }
        String location = result.getResponse().getHeader("Location");
        return Long.parseLong(location.substring(location.lastIndexOf('/') + 1));
    }

    public String status(long orderId) {
        return jdbc.sql("SELECT status FROM orders WHERE id = ?").param(orderId).query(String.class).single();
    }

    /** Everything that a request may change, as one text. */
    public String contents() {
        return jdbc.sql("""
                SELECT CONCAT(
                    (SELECT SUM(available) FROM products), ' available, ',
                    (SELECT COUNT(*) FROM orders), ' orders, ',
                    (SELECT COUNT(*) FROM orders WHERE status = 'RESERVED'), ' held, ',
                    (SELECT COUNT(*) FROM orders WHERE status = 'COMPLETED'), ' completed, ',
                    (SELECT COUNT(*) FROM orders WHERE status = 'CANCELLED'), ' cancelled, ',
                    (SELECT COUNT(*) FROM customers), ' customers, ',
                    (SELECT COUNT(*) FROM RESERVATION_CLAIMS WHERE status = 'reserved'), ' claims, ',
                    (SELECT COUNT(*) FROM stock_counts), ' counts')
                """).query(String.class).single();
    }
}
