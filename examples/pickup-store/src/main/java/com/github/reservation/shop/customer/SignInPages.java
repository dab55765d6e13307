// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.web.Pages;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Pages
class SignInPages {

    private final boolean demo;

    SignInPages(ShopProperties shop) {
        this.demo = shop.demoData();
    }

    @GetMapping("/sign-in")
    String signIn(@RequestParam Map<String, String> parameters, Model model) {
        model.addAttribute("demoAccounts", demo ? DemoAccount.ALL : List.of());
        model.addAttribute("failed", parameters.containsKey("error"));
        model.addAttribute("signedOut", parameters.containsKey("signedOut"));
        return "sign-in";
    }
}
