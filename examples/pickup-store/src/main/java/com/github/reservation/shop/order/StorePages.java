// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.catalog.Catalog;
import com.github.reservation.shop.catalog.Product;
import com.github.reservation.shop.catalog.Store;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.DemoAccount;
import com.github.reservation.shop.customer.Role;
import com.github.reservation.shop.web.Pages;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** A store, with the orders of the customer who looks at it. */
@Pages
class StorePages {

    private final Catalog catalog;
    private final OrderPages orders;
    private final ShopProperties shop;

    StorePages(Catalog catalog, OrderPages orders, ShopProperties shop) {
        this.catalog = catalog;
        this.orders = orders;
        this.shop = shop;
    }

    @GetMapping("/")
    String home(@AuthenticationPrincipal @Nullable Account account, Model model) {
        List<Store> stores = catalog.stores();
        return stores.isEmpty() ? "empty" : store(stores.getFirst().id(), account, model);
    }

    @GetMapping("/stores/{storeId}")
    String store(
            @PathVariable long storeId, @AuthenticationPrincipal @Nullable Account account, Model model) {
        model.addAttribute("stores", catalog.stores());
        model.addAttribute("store", catalog.store(storeId));
        model.addAttribute("products", catalog.products(storeId));
        model.addAttribute("hold", shop.hold());
        model.addAttribute("holdText", Texts.words(shop.hold()));
        model.addAttribute("maxQuantity", Product.MOST_IN_AN_ORDER);
        model.addAttribute("demoAccounts", shop.demoData() ? DemoAccount.ALL : List.of());
        if (account != null && account.role() == Role.CUSTOMER) {
            orders.list(account, model);
            orders.notifications(account, model);
        }
        return "store";
    }
}
