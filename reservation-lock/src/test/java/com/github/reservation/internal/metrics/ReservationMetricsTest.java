// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.Fault;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gauges, and the names and tags of all meters. */
@Timeout(30)
class ReservationMetricsTest extends MeteredManager {

    private static final Set<String> RESULTS = Set.of("acquired", "timeout", "interrupted", "error");

    @Test
    void theGaugeShowsWhatIsHeld() {
        assertThat(active("orders")).isZero();

        reservation.lock();
        reservation.lock();
        manager.getReservation("43").lock();
        assertThat(active("orders")).isEqualTo(2);

        reservation.unlock();
        assertThat(active("orders")).isEqualTo(2);
        reservation.unlock();
        assertThat(active("orders")).isEqualTo(1);
    }

    @Test
    void theGaugeShowsNothingThatIsNotTrusted() {
        reservation.lock();
        manager.getReservation("43").lock();

        store.expireNow(reservation.getReservationKey());
        assertThat(active("orders")).isEqualTo(1);
        ticker.advance(LEASE.minusMillis(1));
        assertThat(active("orders")).isZero();
    }

    @Test
    void gaugeSumsTwoManagersOfOneDomain() {
        ReservationManager second = manager("orders", registry);

        reservation.lock();
        second.getReservation("43").lock();
        second.getReservation("44").lock();

        assertThat(registry.find("reservation.active").gauges()).hasSize(1);
        assertThat(active("orders")).isEqualTo(3);
    }

    @Test
    void eachDomainHasAGaugeOfItsOwn() {
        ReservationManager users = manager("users", registry);

        users.getReservation("42").lock();

        assertThat(active("orders")).isZero();
        assertThat(active("users")).isEqualTo(1);
    }

    @Test
    void eachRegistryHasAGaugeOfItsOwn() {
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        ReservationManager second = manager("orders", other);

        second.getReservation("42").lock();

        assertThat(active("orders")).isZero();
        assertThat(other.get("reservation.active").gauge().value()).isEqualTo(1);
        second.close();
        assertThat(other.find("reservation.active").gauge()).isNull();
        assertThat(active("orders")).isZero();
    }

    @Test
    void theGaugeStaysUntilTheLastManagerIsClosed() {
        ReservationManager second = manager("orders", registry);
        second.getReservation("43").lock();

        manager.close();
        manager.close();
        assertThat(active("orders")).isEqualTo(1);

        second.close();
        assertThat(registry.find("reservation.active").gauge()).isNull();
    }

    @Test
    void aManagerAfterTheLastHasAFreshGauge() {
        manager.close();

        ReservationManager later = manager("orders", registry);
        later.getReservation("42").lock();

        assertThat(active("orders")).isEqualTo(1);
    }

    @Test
    void theMetersHaveTheNamesAndTheTagsTheyShould() {
        playEverything(manager, "42");
        awaitExpired(1);

        assertThat(shapes())
                .containsExactlyInAnyOrder(
                        "TIMER reservation.acquire [backend, domain, result]",
                        "COUNTER reservation.acquire.attempts [backend, domain, result]",
                        "TIMER reservation.held.time [backend, domain]",
                        "COUNTER reservation.expired [backend, domain]",
                        "COUNTER reservation.lost [backend, domain, reason]",
                        "COUNTER reservation.store.errors [backend, domain, kind]",
                        "GAUGE reservation.active [backend, domain]",
                        "GAUGE reservation.waiting [backend, domain]");
        assertThat(valuesOf("domain")).containsExactly("orders");
        assertThat(valuesOf("backend")).containsExactly("memory");
        assertThat(valuesOf("result")).isEqualTo(RESULTS);
    }

    @Test
    void noMeterKnowsAnIdentifier() {
        playEverything(manager, "alice@example.com");

        assertThat(registry.getMeters()).isNotEmpty().allSatisfy(meter -> {
            assertThat(meter.getId().toString()).doesNotContain("alice");
            assertThat(meter.getId().getDescription()).isNotBlank().doesNotContain("alice");
        });
    }

    @Test
    void aThousandIdentifiersMakeNoMoreMetersThanOne() {
        playEverything(manager, "0");
        awaitExpired(1);
        int meters = registry.getMeters().size();

        for (int i = 1; i < 1_000; i++) {
            playEverything(manager, "id-" + i);
        }

        assertThat(registry.getMeters()).hasSize(meters);
        assertThat(attempts("acquired").count()).isEqualTo(2_000);
    }

    @Test
    void withoutARegistryNothingIsMeasured() {
        ReservationManager unmeasured = ReservationManager.inMemory(store)
                .domain("unmeasured")
                .meterRegistry(registry)
                .meterRegistry(null)
                .build();
        managers.add(unmeasured);

        playEverything(unmeasured, "42");

        assertThat(registry.find("reservation.acquire").meters()).isEmpty();
        assertThat(valuesOf("domain")).containsExactly("orders");
        assertThat(Metrics.globalRegistry.getMeters()).isEmpty();
    }

    /** Has each of the four results and a loss happen. */
    private void playEverything(ReservationManager played, String identifier) {
        Reservation one = played.getReservation(identifier);
        one.lock();
        one.unlock();
        one.lock();
        one.forceUnlock();
        assertThatThrownBy(one::unlock).isInstanceOf(ReservationExpiredException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(one::lockInterruptibly).isInstanceOf(InterruptedException.class);
        store.failNext(1, Fault.UNAVAILABLE);
        assertThat(one.tryLock()).isFalse();
        try (ReservationManager other =
                ReservationManager.inMemory(store).domain(played.getDomain()).build()) {
            Reservation inTheWay = other.getReservation(identifier);
            inTheWay.lock();
            assertThat(one.tryLock()).isFalse();
            inTheWay.unlock();
        }
    }

    private double active(String domain) {
        Gauge gauge = registry.get("reservation.active")
                .tags("domain", domain, "backend", "memory")
                .gauge();
        return gauge.value();
    }

    private Set<String> shapes() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getType() + " " + id.getName() + " "
                        + id.getTags().stream().map(Tag::getKey).sorted().toList())
                .collect(Collectors.toSet());
    }
}
