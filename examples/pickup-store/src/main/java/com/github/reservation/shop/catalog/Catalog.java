// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

import com.github.reservation.shop.Rows;
import com.github.reservation.shop.ShopProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Stores, products and their stock. */
@Repository
public class Catalog {

    private static final String PRODUCT =
            "SELECT id, store_id, name, category, description, price_cents, available FROM products ";

    private final JdbcClient jdbc;

    Catalog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns all stores. */
    public List<Store> stores() {
        return Rows.of(jdbc.sql("SELECT id, name, city FROM stores ORDER BY id").query(Store.class));
    }

    /** Returns a store, or refuses an unknown one. */
    public Store store(long id) {
        return jdbc.sql("SELECT id, name, city FROM stores WHERE id = ?").param(id).query(Store.class).optional()
                .orElseThrow(() -> ShopProblem.notFound("There is no store " + id + "."));
    }

    /** Returns the products of a store. */
    public List<Product> products(long storeId) {
        return Rows.of(
                jdbc.sql(PRODUCT + "WHERE store_id = ? ORDER BY id").param(storeId).query(Product.class));
    }

    /** Returns a product, or refuses an unknown one. */
    public Product product(long id) {
        return findProduct(id).orElseThrow(() -> ShopProblem.notFound("There is no product " + id + "."));
    }

    /** Returns a product, if there is one. */
    public Optional<Product> findProduct(long id) {
        return jdbc.sql(PRODUCT + "WHERE id = ?").param(id).query(Product.class).optional();
    }

    /** Returns the stock of all products. */
    public List<Stock> stock() {
        return Rows.of(jdbc.sql("SELECT id AS product_id, store_id, available FROM products ORDER BY id")
                .query(Stock.class));
    }

    /**
     * Takes units of several products, all of them or none: a product that has too few is refused, and the caller's transaction rolls
     * back. The products come in the order of their ids, here and in {@link #give}, so that two transactions never wait for each
     * other in a circle.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void take(SortedMap<Long, Integer> quantities) {
        quantities.forEach((productId, quantity) -> {
            if (takeOne(productId, quantity) == 0) {
                throw soldOut(productId, quantity);
            }
        });
    }

    /** The condition is part of the statement: of two customers who want the last unit, one gets 0 rows. */
    private int takeOne(long productId, int quantity) {
        return jdbc.sql("""
                UPDATE products
                SET available = available - :quantity
                WHERE id = :id
                AND available >= :quantity
                """).param("id", productId).param("quantity", quantity).update();
    }

    private ShopProblem soldOut(long productId, int wanted) {
        Product product = product(productId);
        return ShopProblem.conflict("Not enough stock", product.available() == 0
                ? product.name() + " is sold out at the moment."
                : "You want " + wanted + " of " + product.name() + ", but only " + product.available()
                        + " can be had.");
    }

    /** Returns units of several products to the stock. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void give(SortedMap<Long, Integer> quantities) {
        for (Map.Entry<Long, Integer> one : quantities.entrySet()) {
            jdbc.sql("UPDATE products SET available = available + ? WHERE id = ?")
                    .param(one.getValue()).param(one.getKey()).update();
        }
    }
}
