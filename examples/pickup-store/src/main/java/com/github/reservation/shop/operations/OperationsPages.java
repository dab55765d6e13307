// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.web.Message;
import com.github.reservation.shop.web.Pages;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

@Pages
@RequestMapping("/operations")
class OperationsPages {

    private final Operations operations;

    OperationsPages(Operations operations) {
        this.operations = operations;
    }

    @GetMapping
    String operations(HttpServletRequest request, Model model) {
        state(request, model);
        return "operations";
    }

    @GetMapping("/state")
    String state(HttpServletRequest request, Model model) {
        model.addAttribute("operations", operations.view(String.valueOf(request.getLocalPort())));
        return "operations :: state";
    }

    @GetMapping("/release")
    String confirm(@RequestParam String domain, @RequestParam String identifier, Model model) {
        model.addAttribute("domain", domain);
        model.addAttribute("identifier", identifier);
        model.addAttribute("holder", operations.holder(domain, identifier).orElse(null));
        return "release";
    }

    @PostMapping("/release")
    String release(
            @RequestParam String domain,
            @RequestParam String identifier,
            @RequestParam String acquisition,
            @AuthenticationPrincipal Account operator,
            RedirectAttributes redirect) {
        operations.release(domain, identifier, acquisition, operator.name());
        redirect.addFlashAttribute("message", Message.success(domain + "::" + identifier + " is free."));
        return "redirect:/operations";
    }
}
