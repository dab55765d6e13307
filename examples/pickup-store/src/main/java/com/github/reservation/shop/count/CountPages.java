// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.catalog.Catalog;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.web.Pages;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

@Pages
class CountPages {

    private final StockCounts counts;
    private final Catalog catalog;
    private final ShopProperties.Count settings;

    CountPages(StockCounts counts, Catalog catalog, ShopProperties shop) {
        this.counts = counts;
        this.catalog = catalog;
        this.settings = shop.count();
    }

    @GetMapping("/counts")
    String counts(Model model) {
        model.addAttribute("takes", Texts.words(settings.takes()));
        model.addAttribute("lease", Texts.words(settings.lease()));
        model.addAttribute("slowLease", Texts.words(settings.slowLease()));
        list(model);
        return "counts";
    }

    @GetMapping("/counts/list")
    String list(Model model) {
        model.addAttribute("counts", counts.list());
        return "counts :: list";
    }

    /** Answers when the count has ended, or at once if another one is under way. */
    @PostMapping("/counts/{storeId}")
    String count(
            @PathVariable long storeId,
            @RequestParam(defaultValue = "false") boolean slow,
            @AuthenticationPrincipal Account account,
            RedirectAttributes redirect) throws InterruptedException {
        CountResult result =
                slow ? counts.countSlowly(storeId, account.name()) : counts.count(storeId, account.name());
        redirect.addFlashAttribute("outcome", CountOutcome.of(result, catalog.store(storeId).name()));
        return "redirect:/counts";
    }
}
