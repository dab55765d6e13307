// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.catalog.Catalog;
import com.github.reservation.shop.customer.Account;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/stores/{storeId}/counts")
@Tag(name = "Stock count")
class CountApi {

    private final StockCounts counts;
    private final Catalog catalog;

    CountApi(StockCounts counts, Catalog catalog) {
        this.counts = counts;
        this.catalog = catalog;
    }

    @PostMapping
    @Operation(summary = "Counts the stock; answers 409 at once while another count is under way")
    CountResult.Counted count(
            @PathVariable long storeId, @Parameter(hidden = true) @AuthenticationPrincipal Account account)
            throws InterruptedException {
        CountResult result = counts.count(storeId, account.name());
        if (result instanceof CountResult.Counted counted) {
            return counted;
        }
        CountOutcome outcome = CountOutcome.of(result, catalog.store(storeId).name());
        throw ShopProblem.conflict(outcome.title(), outcome.text());
    }
}
