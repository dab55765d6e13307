// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.outbox.Outbox;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that has the starter and nothing else. {@link SmallestApplicationTest} runs it in a JVM of its own. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SmallestApplication {

    public static void main(String[] args) {
        Class<?>[] sources = List.of(args).contains("--uses-outbox")
                ? new Class<?>[]{SmallestApplication.class, UsesOutbox.class}
                : new Class<?>[]{SmallestApplication.class};
        try (ConfigurableApplicationContext context = SpringApplication.run(sources, args)) {
            System.out.println("Kept " + context.getBean(Backend.class).place());
            System.out.println("Held: " + context.getBean(Orders.class).ship("42"));
        }
    }

    @Bean
    Orders orders() {
        return new Orders();
    }

    record UsesOutbox(Outbox outbox) {}

    static class Orders {

        @Reserved(domain = "orders", key = "#id")
        public String ship(String id) {
            return CurrentReservation.get().getReservationKey();
        }
    }
}
