// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** Reserves without a browser, for a time that no button offers. */
final class Api {

    private Api() {}

    static void reserve(int port, String email, String hold, long productId, int quantity) {
        RestClient.create("http://localhost:" + port).post()
                .uri("/api/orders")
                .headers(headers -> headers.setBasicAuth(email, "demo-demo"))
                .contentType(MediaType.APPLICATION_JSON)
                .body("""
                        {"storeId": 1, "hold": "%s", "lines": [{"productId": %d, "quantity": %d}]}
                        """.formatted(hold, productId, quantity))
                .retrieve()
                .toBodilessEntity();
    }
}
