// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

import com.github.reservation.shop.customer.Accounts;
import com.github.reservation.shop.customer.DemoAccount;
import com.github.reservation.spring.ReservationManagers;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Fills an empty shop. A lock lets one instance do it when several start at once. */
@Component
@ConditionalOnBooleanProperty("shop.demo-data")
class DemoData implements ApplicationRunner {

    private final ReservationManagers managers;
    private final TransactionOperations transactions;
    private final JdbcClient jdbc;
    private final Accounts accounts;

    DemoData(ReservationManagers managers, TransactionOperations transactions, JdbcClient jdbc, Accounts accounts) {
        this.managers = managers;
        this.transactions = transactions;
        this.jdbc = jdbc;
        this.accounts = accounts;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        managers.get("shop").run("demo-data", held -> fillIfEmpty());
    }

    private void fillIfEmpty() {
        if (jdbc.sql("SELECT COUNT(*) FROM stores").query(Long.class).single() == 0) {
            transactions.executeWithoutResult(status -> fill());
        }
    }

    private void fill() {
        DemoAccount.ALL.forEach(demo -> accounts.create(demo.email(), demo.name(), demo.password(), demo.role()));
        store(1, "Old Town", "Leiden");
        product(101, 1, "Wireless headphones", "audio", "Closed back, 40 hours on one charge", 12_900, 8);
        product(102, 1, "Bicycle lamp", "bike", "Front and rear, USB-C", 2_950, 20);
        product(103, 1, "Travel espresso maker", "kitchen", "By hand, no power needed", 8_990, 5);
        product(104, 1, "Field guide to birds", "book", "700 species of Europe", 3_450, 12);
        product(105, 1, "Instant camera", "photo", "With ten pictures to start", 9_900, 3);
        product(106, 1, "Herb garden", "garden", "Basil, thyme and mint, with pots", 1_995, 15);
        store(2, "Harbour", "Delft");
        product(201, 2, "Studio speakers", "audio", "A pair, 50 watts each", 24_900, 4);
        product(202, 2, "Pannier bag", "bike", "Waterproof, 20 litres", 6_490, 9);
        product(203, 2, "Cast-iron pan", "kitchen", "28 cm, for every stove", 5_950, 7);
        product(204, 2, "Atlas of the seas", "book", "320 maps, large format", 5_900, 2);
        product(205, 2, "Tripod", "photo", "Carbon, 1.1 kg", 14_900, 6);
        product(206, 2, "Bulb box", "garden", "50 tulips in five colours", 1_690, 25);
    }

    private void store(long id, String name, String city) {
        jdbc.sql("INSERT INTO stores (id, name, city) VALUES (?, ?, ?)").params(id, name, city).update();
    }

    private void product(
            long id, long storeId, String name, String category, String description, int priceCents, int available) {
        jdbc.sql("""
                INSERT INTO products (id, store_id, name, category, description, price_cents, available)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """).params(id, storeId, name, category, description, priceCents, available).update();
    }
}
