// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.order.Notifications;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.core.Authentication;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** What every page has. */
@ControllerAdvice(annotations = Pages.class)
class PageModel {

    private final Notifications notifications;
    private final DatabaseClock clock;
    private final String database;

    PageModel(Notifications notifications, DatabaseClock clock, DataSource dataSource) {
        this.notifications = notifications;
        this.clock = clock;
        this.database = String.valueOf(
                new JdbcTemplate(dataSource).execute((ConnectionCallback<String>) PageModel::product));
    }

    private static String product(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName();
    }

    @ModelAttribute
    void fill(HttpServletRequest request, Model model) {
        model.addAllAttributes(attributes(request));
    }

    Map<String, Object> attributes(HttpServletRequest request) {
        Account account = account(request);
        return Map.of(
                "viewer", Viewer.of(account),
                "unread", account == null ? 0L : notifications.unread(account.id()),
                "now", clock.now(),
                "path", request.getRequestURI(),
                "instance", String.valueOf(request.getLocalPort()),
                "database", database);
    }

    private static @Nullable Account account(HttpServletRequest request) {
        return request.getUserPrincipal() instanceof Authentication authentication
                && authentication.getPrincipal() instanceof Account account ? account : null;
    }
}
