// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api")
@Tag(name = "Catalog")
class CatalogApi {

    private final Catalog catalog;

    CatalogApi(Catalog catalog) {
        this.catalog = catalog;
    }

    @GetMapping("/stores")
    List<Store> stores() {
        return catalog.stores();
    }

    @GetMapping("/stores/{storeId}/products")
    List<Product> products(@PathVariable long storeId) {
        return catalog.products(catalog.store(storeId).id());
    }

    @GetMapping("/products/{productId}")
    Product product(@PathVariable long productId) {
        return catalog.product(productId);
    }
}
