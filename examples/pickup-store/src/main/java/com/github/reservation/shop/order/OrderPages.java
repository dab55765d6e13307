// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.web.Message;
import com.github.reservation.shop.web.Pages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

@Pages
class OrderPages {

    private static final String QUANTITY = "quantity-";

    private final Orders orders;
    private final Notifications notifications;
    private final DatabaseClock clock;
    private final ShopProperties shop;

    OrderPages(Orders orders, Notifications notifications, DatabaseClock clock, ShopProperties shop) {
        this.orders = orders;
        this.notifications = notifications;
        this.clock = clock;
        this.shop = shop;
    }

    @GetMapping("/orders")
    String orders(@AuthenticationPrincipal Account customer, Model model) {
        list(customer, model);
        notifications(customer, model);
        return "orders";
    }

    @GetMapping("/orders/list")
    String list(@AuthenticationPrincipal Account customer, Model model) {
        Instant now = clock.now();
        model.addAttribute(
                "orders", orders.list(customer.id()).stream().map(order -> OrderView.of(order, now)).toList());
        return "orders :: list";
    }

    @GetMapping("/notifications")
    String notifications(@AuthenticationPrincipal Account customer, Model model) {
        model.addAttribute("notifications", notifications.list(customer.id()));
        return "orders :: notifications";
    }

    @PostMapping("/notifications/read")
    String markSeen(@AuthenticationPrincipal Account customer) {
        notifications.markSeen(customer.id());
        return "redirect:/orders";
    }

    @PostMapping("/stores/{storeId}/orders")
    String reserve(
            @PathVariable long storeId,
            @RequestParam Map<String, String> form,
            @AuthenticationPrincipal Account customer,
            RedirectAttributes redirect) {
        List<NewOrder.Line> lines = lines(form);
        if (lines.isEmpty()) {
            throw ShopProblem.conflict("Nothing chosen", "Choose at least one item.");
        }
        Order order = orders.reserve(
                customer.id(), NewOrder.of(storeId, shop.hold(), shop.maxHold(), lines));
        redirect.addFlashAttribute("message", Message.success(
                "Order %d is held for you for %s.".formatted(order.id(), Texts.words(shop.hold()))));
        return "redirect:/stores/" + storeId;
    }

    /** Reads the fields of all products; those that are empty or 0 are not wanted. */
    private static List<NewOrder.Line> lines(Map<String, String> form) {
        List<NewOrder.Line> lines = new ArrayList<>();
        form.forEach((field, value) -> {
            if (field.startsWith(QUANTITY) && !value.isBlank() && !value.strip().equals("0")) {
                lines.add(new NewOrder.Line(number(field, field.substring(QUANTITY.length())), number(field, value)));
            }
        });
        return lines;
    }

    private static long number(String field, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw ShopProblem.badRequest("The field " + field + " needs a number.");
        }
    }

    @PostMapping("/orders/{orderId}/complete")
    String complete(
            @PathVariable long orderId, @AuthenticationPrincipal Account customer, RedirectAttributes redirect) {
        orders.complete(customer.id(), orderId);
        redirect.addFlashAttribute("message", Message.success("Order " + orderId + " is picked up. Enjoy!"));
        return "redirect:/orders";
    }

    @PostMapping("/orders/{orderId}/cancel")
    String cancel(
            @PathVariable long orderId, @AuthenticationPrincipal Account customer, RedirectAttributes redirect) {
        orders.cancel(customer.id(), orderId);
        redirect.addFlashAttribute(
                "message", Message.success("Order " + orderId + " is cancelled. Its items are back on sale."));
        return "redirect:/orders";
    }
}
