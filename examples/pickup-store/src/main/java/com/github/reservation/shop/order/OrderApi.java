// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.customer.Account;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api")
@Tag(name = "Orders")
class OrderApi {

    private final Orders orders;
    private final Notifications notifications;
    private final ShopProperties shop;

    OrderApi(Orders orders, Notifications notifications, ShopProperties shop) {
        this.orders = orders;
        this.notifications = notifications;
        this.shop = shop;
    }

    /**
     * What a customer wants.
     *
     * @param hold how long, for example {@code PT1M}; not set: as long as the shop holds orders
     */
    record OrderRequest(@Nullable Long storeId, @Nullable Duration hold, @Nullable List<@Nullable LineRequest> lines) {}

    record LineRequest(@Nullable Long productId, @Nullable Long quantity) {}

    @PostMapping("/orders")
    @Operation(summary = "Takes the stock and holds it for pick-up")
    ResponseEntity<Order> reserve(
            @RequestBody OrderRequest request, @Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        Duration hold = request.hold() == null ? shop.hold() : request.hold();
        List<@Nullable LineRequest> lines = required("lines", request.lines());
        NewOrder wanted = NewOrder.of(
                required("storeId", request.storeId()),
                hold,
                shop.maxHold(),
                lines.stream().map(OrderApi::line).toList());
        Order order = orders.reserve(customer.id(), wanted);
        return ResponseEntity.created(URI.create("/api/orders/" + order.id())).body(order);
    }

    private static NewOrder.Line line(@Nullable LineRequest line) {
        LineRequest present = required("line", line);
        return new NewOrder.Line(
                required("productId", present.productId()), required("quantity", present.quantity()));
    }

    private static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw ShopProblem.badRequest(name + " is missing.");
        }
        return value;
    }

    @GetMapping("/orders")
    @Operation(summary = "Returns the last 50 orders of the customer")
    List<Order> orders(@Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        return orders.list(customer.id());
    }

    @GetMapping("/orders/{orderId}")
    Order order(
            @PathVariable long orderId, @Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        return orders.find(customer.id(), orderId);
    }

    @PostMapping("/orders/{orderId}/complete")
    @Operation(summary = "Completes an order that was picked up before its hold ended")
    Order complete(
            @PathVariable long orderId, @Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        orders.complete(customer.id(), orderId);
        return orders.find(customer.id(), orderId);
    }

    @PostMapping("/orders/{orderId}/cancel")
    @Operation(summary = "Cancels an order and returns its units to the stock")
    Order cancel(
            @PathVariable long orderId, @Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        orders.cancel(customer.id(), orderId);
        return orders.find(customer.id(), orderId);
    }

    @GetMapping("/notifications")
    List<Notification> notifications(@Parameter(hidden = true) @AuthenticationPrincipal Account customer) {
        return notifications.list(customer.id());
    }
}
