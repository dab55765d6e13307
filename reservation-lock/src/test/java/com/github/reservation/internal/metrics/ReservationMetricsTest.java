// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The five meters, seen through the public API. */
@Timeout(30)
class ReservationMetricsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Set<String> RESULTS = Set.of("acquired", "timeout", "interrupted", "error");

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<ReservationManager> managers = new ArrayList<>();
    private final ReservationManager manager = manager("orders", registry);
    private final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void close() {
        store.recover();
        managers.forEach(ReservationManager::close);
    }

    private ReservationManager manager(String domain, MeterRegistry meterRegistry) {
        ReservationManager built = ReservationManager.inMemory(store)
                .domain(domain)
                .leaseTime(LEASE)
                .meterRegistry(meterRegistry)
                .build();
        managers.add(built);
        return built;
    }

    /** Another node that is not measured. */
    private Reservation elsewhere() {
        return manager("orders", null).getReservation("42");
    }

    @Test
    void anAcquisitionIsCountedAndTimed() {
        reservation.lock();

        assertAttempts("acquired", 1, Duration.ZERO);
    }

    @Test
    void everyKindOfCallIsOneAttempt() throws InterruptedException {
        reservation.lock();
        reservation.unlock();
        reservation.lockInterruptibly();
        reservation.unlock();
        reservation.tryLock();
        reservation.unlock();
        reservation.tryLock(1, TimeUnit.SECONDS);
        reservation.unlock();
        reservation.tryLock(Duration.ofSeconds(1), LEASE);
        reservation.unlock();
        manager.run("42", held -> {});
        manager.call("42", held -> 1);

        assertAttempts("acquired", 7, Duration.ZERO);
    }

    @Test
    void nothingButAnAttemptIsOne() {
        reservation.lock();

        reservation.renew();
        reservation.renew(LEASE);
        reservation.isLocked();
        reservation.isHeldByCurrentThread();
        reservation.getRemainingLeaseTime();
        manager.listReservations();
        reservation.forceUnlock();

        assertAttempts("acquired", 1, Duration.ZERO);
    }

    @Test
    void aReentrantCallIsAnAttemptOfItsOwn() {
        reservation.lock();
        reservation.lock();
        manager.getReservation("42").tryLock();

        assertAttempts("acquired", 3, Duration.ZERO);
    }

    @Test
    void aRefusalIsATimeout() {
        elsewhere().lock();

        assertThat(reservation.tryLock()).isFalse();

        assertAttempts("timeout", 1, Duration.ZERO);
    }

    @Test
    void aWaitInVainIsTimedToItsEnd() throws Exception {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(30, TimeUnit.SECONDS));

        ticker.advance(Duration.ofSeconds(30));

        assertThat(waiting.result()).isFalse();
        assertAttempts("timeout", 1, Duration.ofSeconds(30));
    }

    @Test
    void aWaitThatSucceedsIsTimedToItsEnd() throws Exception {
        Reservation inTheWay = elsewhere();
        inTheWay.lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(1, TimeUnit.HOURS));

        ticker.advance(Duration.ofMillis(1));
        inTheWay.unlock();

        assertThat(waiting.result()).isTrue();
        assertAttempts("acquired", 1, Duration.ofMillis(1));
    }

    @Test
    void anInterruptedWaitIsCountedAsSuch() {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> {
            reservation.lockInterruptibly();
            return true;
        });

        waiting.thread.interrupt();

        assertThatThrownBy(waiting::result).hasCauseInstanceOf(InterruptedException.class);
        assertAttempts("interrupted", 1, Duration.ZERO);
    }

    @Test
    void anInterruptBeforeTheCallIsCountedAsSuch() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> reservation.tryLock(0, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);

        assertAttempts("interrupted", 1, Duration.ZERO);
    }

    @Test
    void tryLockOnBackendFailure_falseAndResultError() {
        store.failWith(Fault.UNAVAILABLE);

        assertThat(reservation.tryLock()).isFalse();

        assertAttempts("error", 1, Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "MISCONFIGURED"})
    void aLockThatThrowsIsAnError(Fault fault) {
        store.failWith(fault);

        assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);

        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aTryThatThrowsIsAnError() {
        store.failWith(Fault.MISCONFIGURED);

        assertThatThrownBy(reservation::tryLock).isInstanceOf(ReservationAcquisitionException.class);

        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aWaitThatEndsWithItsManagerIsAnError() {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(1, TimeUnit.HOURS));

        manager.close();

        assertThatThrownBy(waiting::result).hasCauseInstanceOf(IllegalStateException.class);
        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aReentrantCallSucceedsWithoutTheStore() {
        reservation.lock();
        store.failWith(Fault.UNAVAILABLE);

        reservation.lock();

        assertAttempts("acquired", 2, Duration.ZERO);
    }

    @Test
    void aHoldIsTimedFromTheFirstLockToTheLastUnlock() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        reservation.lock();
        ticker.advance(Duration.ofSeconds(2));
        reservation.unlock();
        assertThat(registry.find("reservation.held.time").timer()).isNull();
        ticker.advance(Duration.ofSeconds(4));
        reservation.unlock();

        assertHeld(1, Duration.ofSeconds(7));
        assertExpired(0);
    }

    @Test
    void aHoldIsTimedAlthoughTheStoreDidNotAnswerItsRelease() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        store.failWith(Fault.UNAVAILABLE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);

        assertHeld(1, Duration.ofSeconds(1));
        assertExpired(0);
    }

    @Test
    void anExpiredHoldIsTimedAndCountedOnce() {
        reservation.lock();
        reservation.lock();

        ticker.advance(LEASE);
        awaitExpired(1);

        assertHeld(1, LEASE);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertHeld(1, LEASE);
        assertExpired(1);
    }

    @Test
    void aHoldThatLostTrustButIsGivenBackInTimeIsTimedOnce() {
        reservation.lock();
        Duration insideTheMargin = LEASE.minusMillis(1);
        ticker.advance(insideTheMargin);
        awaitExpired(1);

        reservation.unlock();

        assertHeld(1, insideTheMargin);
        assertExpired(1);
    }

    @Test
    void aForcedHoldIsTimedAndCountedOnce() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(3));

        elsewhere().forceUnlock();

        awaitExpired(1);
        assertHeld(1, Duration.ofSeconds(3));
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertHeld(1, Duration.ofSeconds(3));
        assertExpired(1);
    }

    @Test
    void eachGenerationIsTimedByItself() {
        reservation.lock();
        ticker.advance(LEASE);
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);

        awaitExpired(1);
        assertHeld(2, LEASE.plusSeconds(1));
        assertAttempts("acquired", 2, Duration.ZERO);
    }

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
    void anUnlockAfterTheEndOfTheManagerIsStillTimed() {
        reservation.lock();
        manager.close();
        ticker.advance(Duration.ofSeconds(2));

        reservation.unlock();

        assertHeld(1, Duration.ofSeconds(2));
    }

    @Test
    void theMetersAreTheFiveAndHaveTheTagsTheyShould() {
        playEverything(manager, "42");
        awaitExpired(1);

        assertThat(shapes())
                .containsExactlyInAnyOrder(
                        "TIMER reservation.acquire [backend, domain, result]",
                        "COUNTER reservation.acquire.attempts [backend, domain, result]",
                        "TIMER reservation.held.time [backend, domain]",
                        "COUNTER reservation.expired [backend, domain]",
                        "GAUGE reservation.active [backend, domain]");
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

    /** Asserts that there were attempts with this result and with no other. */
    private void assertAttempts(String result, int count, Duration total) {
        assertThat(valuesOf("result")).containsExactly(result);
        assertThat(attempts(result).count()).isEqualTo(count);
        Timer timer = registry.get("reservation.acquire")
                .tags("domain", "orders", "backend", "memory", "result", result)
                .timer();
        assertThat(timer.count()).isEqualTo(count);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(total.toNanos());
    }

    private Counter attempts(String result) {
        return registry.get("reservation.acquire.attempts")
                .tags("domain", "orders", "backend", "memory", "result", result)
                .counter();
    }

    private void assertHeld(int count, Duration total) {
        Timer timer = registry.get("reservation.held.time")
                .tags("domain", "orders", "backend", "memory")
                .timer();
        assertThat(timer.count()).isEqualTo(count);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(total.toNanos());
    }

    private void assertExpired(int count) {
        assertThat(expired()).isEqualTo(count);
    }

    private void awaitExpired(int count) {
        await().until(() -> expired() == count);
    }

    private double expired() {
        Counter counter = registry.find("reservation.expired")
                .tags("domain", "orders", "backend", "memory")
                .counter();
        return counter == null ? 0 : counter.count();
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

    private Set<String> valuesOf(String tag) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTag(tag))
                .filter(value -> value != null)
                .collect(Collectors.toSet());
    }

    /** A call on a thread of its own that is parked by now. */
    private static final class Waiting<T> {

        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        Waiting(Callable<T> call) {
            this.thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    result.complete(call.call());
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            await().pollInterval(Duration.ofMillis(1)).until(() -> LockSupport.getBlocker(thread) != null);
        }

        T result() throws Exception {
            return result.get(10, TimeUnit.SECONDS);
        }
    }
}
