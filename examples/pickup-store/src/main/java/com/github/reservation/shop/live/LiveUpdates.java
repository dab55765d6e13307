// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.live;

import com.github.reservation.shop.Rows;
import com.github.reservation.shop.catalog.Catalog;
import com.github.reservation.shop.catalog.Stock;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends changes to open pages as server-sent events. One thread of each instance reads the stock every second and sends each page what
 * that page does not know yet. So a page learns of what another instance or the job has changed, and misses nothing: a comparison does
 * not depend on the order in which transactions commit.
 */
@RestController
class LiveUpdates {

    private static final int MOST_PAGES = 500;
    private static final int ROUNDS_BETWEEN_PINGS = 15;

    private final Catalog catalog;
    private final JdbcClient jdbc;
    private final Set<OpenPage> pages = ConcurrentHashMap.newKeySet();
    private int round;

    LiveUpdates(Catalog catalog, JdbcClient jdbc) {
        this.catalog = catalog;
        this.jdbc = jdbc;
    }

    @GetMapping("/events")
    SseEmitter open(@AuthenticationPrincipal @Nullable Account account) {
        if (pages.size() >= MOST_PAGES) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Too many open pages");
        }
        OpenPage page = new OpenPage(account != null && account.role() == Role.CUSTOMER ? account.id() : null);
        page.emitter().onCompletion(() -> pages.remove(page));
        page.emitter().onTimeout(() -> pages.remove(page));
        page.emitter().onError(failure -> pages.remove(page));
        pages.add(page);
        return page.emitter();
    }

    @Scheduled(fixedDelay = 1000)
    void update() {
        if (pages.isEmpty()) {
            return;
        }
        List<Stock> stock = catalog.stock();
        Map<Long, Activity> activities = activities(
                pages.stream().flatMap(page -> page.customerId().stream()).collect(Collectors.toSet()));
        boolean ping = ++round % ROUNDS_BETWEEN_PINGS == 0;
        pages.removeIf(page -> !reaches(
                page, stock, page.customerId().map(activities::get).orElse(Activity.NONE), ping));
    }

    /** Returns false if the browser has left. */
    private static boolean reaches(OpenPage page, List<Stock> stock, Activity activity, boolean ping) {
        try {
            page.update(stock, activity);
            if (ping) {
                page.ping();
            }
            return true;
        } catch (IOException | IllegalStateException e) {
            page.emitter().completeWithError(e);
            return false;
        }
    }

    private record Count(long customerId, long total, long rest) {}

    private Map<Long, Activity> activities(Set<Long> customerIds) {
        if (customerIds.isEmpty()) {
            return Map.of();
        }
        Map<Long, Count> orders = counts("""
                SELECT customer_id, COUNT(*) AS total, SUM(CASE WHEN status = 'RESERVED' THEN 0 ELSE 1 END) AS rest
                FROM orders
                WHERE customer_id IN (:ids)
                GROUP BY customer_id
                """, customerIds);
        Map<Long, Count> notifications = counts("""
                SELECT customer_id, COUNT(*) AS total, SUM(CASE WHEN seen THEN 0 ELSE 1 END) AS rest
                FROM notifications
                WHERE customer_id IN (:ids)
                GROUP BY customer_id
                """, customerIds);
        Map<Long, Activity> activities = new HashMap<>();
        for (Long id : customerIds) {
            Count made = orders.getOrDefault(id, new Count(id, 0, 0));
            Count told = notifications.getOrDefault(id, new Count(id, 0, 0));
            activities.put(id, new Activity(made.total(), made.rest(), told.total(), told.rest()));
        }
        return activities;
    }

    private Map<Long, Count> counts(String sql, Set<Long> customerIds) {
        return Rows.of(jdbc.sql(sql).param("ids", customerIds).query(Count.class)).stream()
                .collect(Collectors.toMap(Count::customerId, count -> count));
    }

    /** An open page would keep the web server from stopping. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        pages.forEach(page -> page.emitter().complete());
    }
}
