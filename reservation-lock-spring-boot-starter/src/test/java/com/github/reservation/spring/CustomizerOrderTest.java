// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.expiration.ExpirationJob;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters go to the registry of the context, unless a customizer of the application says otherwise. */
class CustomizerOrderTest {

    private static final String[] PREFIXES =
            {"reservation.acquire", "reservation.claim", "reservation.expiration", "reservation.outbox"};

    private final ApplicationContextRunner runner = Starter.withJdbc()
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withUserConfiguration(OutboxApplication.Listeners.class)
            .withPropertyValues("reservation.outbox.enabled=true", "reservation.outbox.poll-interval=20ms");

    @Test
    void allMetersAreInTheRegistryOfTheContext() {
        runner.run(context -> {
            use(context);

            await().untilAsserted(() -> assertThat(prefixes(context.getBean(MeterRegistry.class)))
                    .containsExactlyInAnyOrder(PREFIXES));
        });
    }

    @Test
    void customizersOfTheApplicationHaveTheLastWord() {
        runner.withUserConfiguration(OwnRegistry.class).run(context -> {
            use(context);

            await().untilAsserted(() -> assertThat(prefixes(context.getBean(OwnRegistry.class).own))
                    .containsExactlyInAnyOrder(PREFIXES));
            assertThat(prefixes(context.getBean(MeterRegistry.class))).isEmpty();
        });
    }

    private static void use(ApplicationContext context) {
        context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});
        context.getBean(Claims.class).reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
        context.getBean(ExpirationJob.class).runOnce();
    }

    private static Set<String> prefixes(MeterRegistry registry) {
        Set<String> found = new TreeSet<>();
        registry.getMeters().forEach(meter -> {
            for (String prefix : PREFIXES) {
                if (meter.getId().getName().startsWith(prefix)) {
                    found.add(prefix);
                }
            }
        });
        return found;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {

        final MeterRegistry own = new SimpleMeterRegistry();

        @Bean
        ReservationManagerCustomizer<AbstractReservationManagerBuilder<?>> managers() {
            return (domain, builder) -> builder.meterRegistry(own);
        }

        @Bean
        ClaimsCustomizer<ClaimsBuilder<?>> claims() {
            return builder -> builder.meterRegistry(own);
        }

        @Bean
        ExpirationJobCustomizer job() {
            return builder -> builder.meterRegistry(own);
        }

        @Bean
        OutboxCustomizer outbox() {
            return builder -> builder.meterRegistry(own);
        }
    }
}
