// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.jdbc.Ddl;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.shop.ShopProperties;
import com.github.reservation.spring.ReservationManagers;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** The outbox: what is appended in a transaction is delivered after its commit, also if this process dies in between. */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {

    @Bean
    Outbox outbox(DataSource dataSource, MeterRegistry meters, ReservationManagers managers, ShopProperties shop)
            throws SQLException {
        managers.get("shop").run("outbox-tables", held -> createTables(dataSource));
        return Outbox.jdbc(dataSource)
                .meterRegistry(meters)
                .pollInterval(shop.outbox().pollInterval())
                .leaseTime(shop.outbox().leaseTime())
                .build();
    }

    /** Delivery starts when all listeners are there. The outbox ends with the context. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> outboxStart(Outbox outbox) {
        return ready -> outbox.start();
    }

    private static void createTables(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (!exists(connection)) {
                String database = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
                ScriptUtils.executeSqlScript(connection, new ByteArrayResource(
                        Ddl.of(database + "-outbox").getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private static boolean exists(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT 1 FROM RESERVATION_OUTBOX WHERE 1 = 0").close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
