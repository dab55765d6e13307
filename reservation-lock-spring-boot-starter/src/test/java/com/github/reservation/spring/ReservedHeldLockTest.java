// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A {@link Reserved} method can take its lock as an argument. */
class ReservedHeldLockTest {

    private final ApplicationContextRunner runner = Starter.inMemory()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
            .withBean(InMemoryStore.class)
            .withBean(Orders.class, DefaultOrders::new)
            .withPropertyValues("reservation.reserved.max-wait=0s");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theMethodReceivesItsLockThroughEachKindOfProxy(boolean ofClass) {
        runner.withPropertyValues("spring.aop.proxy-target-class=" + ofClass).run(context -> {
            HeldLock lock = context.getBean(Orders.class).work("42", null, held -> {
                assertThat(held.name()).isEqualTo("42");
                assertThat(held.isHeld()).isTrue();
                return held;
            });

            assertThat(lock.isHeld()).isFalse();
            assertThat(context.getBean(ReservationManagers.class).get("orders").getReservation("42").isLocked())
                    .isFalse();
        });
    }

    @Test
    void theAccessorKnowsTheTokenAndSaysWhereTheLockIs() {
        runner.run(context -> context.getBean(Orders.class).work("42", null, held -> {
            assertThat(CurrentReservation.fencingToken()).isEqualTo(held.fencingToken()).isPresent();
            assertThat(CurrentReservation.find()).isEmpty();
            assertThatIllegalStateException().isThrownBy(CurrentReservation::get)
                    .withMessageContaining("Use a parameter of type HeldLock");
            return held;
        }));
    }

    @Test
    void aLostLockIsReportedAfterTheMethod() {
        runner.run(context -> assertThatExceptionOfType(ReservationExpiredException.class)
                .isThrownBy(() -> context.getBean(Orders.class).work("42", null, held -> {
                    context.getBean(InMemoryStore.class).expireNow("orders::42");
                    return held;
                })));
    }

    @Test
    void theLockIsNotReentrant() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThatExceptionOfType(ReservationBusyException.class)
                    .isThrownBy(() -> orders.work("42", null, outer -> orders.work("42", null, inner -> inner)))
                    .satisfies(busy -> assertThat(busy.getRemaining().orElseThrow()).isPositive());
        });
    }

    @Test
    void aBusyLockIsBusyAlsoIfTheStoreDoesNotTellItsHolder() {
        ObservationRegistry observations = ObservationRegistry.create();
        runner.withBean(ObservationRegistry.class, () -> observations).run(context -> {
            InMemoryStore store = context.getBean(InMemoryStore.class);
            observations.observationConfig().observationHandler(new StoreFailsAfterwards(store));

            try (ReservationManager other = ReservationManager.inMemory(store).domain("orders").build()) {
                other.run("42", held -> {
                    assertThatExceptionOfType(ReservationBusyException.class)
                            .isThrownBy(() -> context.getBean(Orders.class).work("42", null, own -> own))
                            .withMessageContaining("another caller")
                            .satisfies(busy -> assertThat(busy.getHolder()).isEmpty());
                    store.recover();
                });
            }
        });
    }

    /** Lets the store fail as soon as it has said that a lock is busy. */
    record StoreFailsAfterwards(InMemoryStore store) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStop(Observation.Context context) {
            store.failWith(Fault.UNAVAILABLE);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void aLockOfTheCallerIsRefused() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.work("42", null, held -> orders.work("43", held, own -> own)))
                    .withMessageContaining("must be null");
        });
    }

    interface Orders {

        @Reserved(domain = "orders", key = "#p0")
        HeldLock work(String id, @Nullable HeldLock lock, Function<HeldLock, HeldLock> work);
    }

    static class DefaultOrders implements Orders {

        @Override
        public HeldLock work(String id, @Nullable HeldLock lock, Function<HeldLock, HeldLock> work) {
            return work.apply(lock);
        }
    }
}
