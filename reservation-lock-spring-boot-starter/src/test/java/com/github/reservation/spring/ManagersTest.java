// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.LossListener;
import com.github.reservation.LostReservation;
import com.github.reservation.ReservationEvent;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.memory.InMemoryReservationManagerBuilder;
import com.github.reservation.memory.InMemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The managers of a context: made once for each domain, customized, watched. */
class ManagersTest {

    @Test
    void aDomainHasOneManagerHoweverManyThreadsAskForIt() {
        AtomicInteger made = new AtomicInteger();
        try (ReservationManagers managers = new ReservationManagers(domain -> {
            made.incrementAndGet();
            return ReservationManager.inMemory().domain(domain).build();
        }); var threads = Executors.newVirtualThreadPerTaskExecutor()) {

            var found = IntStream.range(0, 50).mapToObj(i -> threads.submit(() -> managers.get("orders"))).toList();

            assertThat(found).allSatisfy(manager -> assertThat(manager.get()).isSameAs(managers.get("orders")));
            assertThat(made).hasValue(1);
            assertThat(managers.domains()).containsExactly("orders");
            assertThat(managers.find("customers")).isEmpty();
        }
    }

    @Test
    void closedManagersAreClosedAndNoneIsMadeAnyMore() {
        ReservationManagers managers =
                new ReservationManagers(domain -> ReservationManager.inMemory().domain(domain).build());
        ReservationManager orders = managers.get("orders");

        managers.close();

        assertThatIllegalStateException().isThrownBy(() -> orders.getReservation("42").lock());
        assertThatIllegalStateException().isThrownBy(() -> managers.get("customers"))
                .withMessageContaining("customers");
    }

    @Test
    void aManagerThatFailsToCloseDoesNotKeepTheOthersOpen() {
        List<ReservationManager> open = new CopyOnWriteArrayList<>();
        ReservationManagers managers = new ReservationManagers(domain -> failingToClose(domain, open));
        List.of("customers", "orders", "stock").forEach(domain -> open.add(managers.get(domain)));

        assertThatIllegalStateException().isThrownBy(managers::close)
                .withMessageStartingWith("cannot close ")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
        assertThat(open).isEmpty();
    }

    /** A manager of the application's own. */
    private static ReservationManager failingToClose(String domain, List<ReservationManager> open) {
        return (ReservationManager) Proxy.newProxyInstance(
                ManagersTest.class.getClassLoader(), new Class<?>[]{ReservationManager.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "close" -> {
                        open.remove(proxy);
                        throw new IllegalStateException("cannot close " + domain);
                    }
                    case "equals" -> proxy == args[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void customizersAreCalledForEachDomainIfTheyFitTheBackend() {
        Starter.inMemory().withUserConfiguration(Customizers.class).run(context -> {
            ReservationManagers managers = context.getBean(ReservationManagers.class);

            assertThat(managers.get("orders").getLeaseTime()).isEqualTo(Duration.ofSeconds(7));
            assertThat(managers.get("customers").getLeaseTime()).isEqualTo(Duration.ofMinutes(1));
            assertThat(context.getBean(Customizers.class).called)
                    .contains("any orders", "memory orders", "any customers", "memory customers")
                    .doesNotContain("jdbc orders");
        });
    }

    @Test
    void listenersAreToldOfLosses() {
        Starter.inMemory().withUserConfiguration(Listening.class).run(context -> {
            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            orders.getReservation("42").lock();

            context.getBean(InMemoryStore.class).expireNow("orders::42");

            await().untilAsserted(() -> assertThat(context.getBean(Listening.class).lost)
                    .extracting(LostReservation::identifier)
                    .containsExactly("42"));
        });
    }

    @Test
    void listenersAreToldOfAcquisitions() {
        Starter.inMemory().withUserConfiguration(Listening.class).run(context -> {
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});

            await().untilAsserted(() -> assertThat(context.getBean(Listening.class).acquired)
                    .extracting(ReservationEvent::identifier)
                    .containsExactly("42"));
        });
    }

    @Test
    void theLockManagerHasTheDomainOfTheLockProvider() {
        Starter.inMemory().withPropertyValues("reservation.leases.domain=jobs").run(context -> {
            assertThat(context.getBean(ReservationManagers.class).domains()).as("lazy").isEmpty();

            var result = context.getBean(LockManager.class).tryRun("report", lock -> assertThat(
                    context.getBean(LockProvider.class).acquireLock("report", "one", Duration.ofMinutes(1))).isNull());

            assertThat(result).isInstanceOf(LockExecutionResult.Executed.class);
            assertThat(context.getBean(ReservationManagers.class).domains()).containsExactly("jobs");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Customizers {

        final List<String> called = new CopyOnWriteArrayList<>();

        @Bean
        ReservationManagerCustomizer<AbstractReservationManagerBuilder<?>> any() {
            return (domain, builder) -> called.add("any " + domain);
        }

        @Bean
        ReservationManagerCustomizer<InMemoryReservationManagerBuilder> memory() {
            return (domain, builder) -> {
                called.add("memory " + domain);
                if (domain.equals("orders")) {
                    builder.leaseTime(Duration.ofSeconds(7));
                }
            };
        }

        @Bean
        ReservationManagerCustomizer<JdbcReservationManagerBuilder> jdbc() {
            return new ReservationManagerCustomizer<>() {
                @Override
                public void customize(String domain, JdbcReservationManagerBuilder builder) {
                    called.add("jdbc " + domain);
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        final List<LostReservation> lost = new CopyOnWriteArrayList<>();
        final List<ReservationEvent> acquired = new CopyOnWriteArrayList<>();

        @Bean
        InMemoryStore store() {
            return new InMemoryStore();
        }

        @Bean
        LossListener listener() {
            return lost::add;
        }

        @Bean
        ReservationListener audit() {
            return new ReservationListener() {
                @Override
                public void onAcquired(ReservationEvent event) {
                    acquired.add(event);
                }
            };
        }
    }
}
