// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.live;

import com.github.reservation.shop.catalog.Stock;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** A page in a browser, and what it knows. Only the thread of {@link LiveUpdates} sends to it. */
final class OpenPage {

    private final SseEmitter emitter = new SseEmitter(0L);
    private final @Nullable Long customerId;
    private final Map<Long, Integer> known = new HashMap<>();
    private @Nullable Activity activity;

    OpenPage(@Nullable Long customerId) {
        this.customerId = customerId;
    }

    SseEmitter emitter() {
        return emitter;
    }

    Optional<Long> customerId() {
        return Optional.ofNullable(customerId);
    }

    /** Sends what the page does not know yet. */
    void update(List<Stock> stock, Activity now) throws IOException {
        for (Stock one : stock) {
            Integer before = known.put(one.productId(), one.available());
            if (before == null || before != one.available()) {
                send("stock", one);
            }
        }
        if (customerId != null) {
            Activity before = activity;
            activity = now;
            if (before == null || !before.sameOrders(now)) {
                send("orders", Map.of("changed", true));
            }
            if (before == null || !before.sameNotifications(now)) {
                send("notifications", Map.of("unread", now.unread()));
            }
        }
    }

    private void send(String event, Object data) throws IOException {
        emitter.send(SseEmitter.event().name(event).data(data, MediaType.APPLICATION_JSON));
    }

    /** Keeps the connection open. */
    void ping() throws IOException {
        emitter.send(SseEmitter.event().comment(""));
    }
}
