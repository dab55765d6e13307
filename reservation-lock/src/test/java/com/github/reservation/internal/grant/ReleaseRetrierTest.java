// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Releases that are retried in the background. */
class ReleaseRetrierTest {

    private static final String BROKEN = "orders::broken";

    private final Ticker ticker = Ticker.system();
    private final Set<String> released = ConcurrentHashMap.newKeySet();

    @Test
    void aLeaseThatCannotBeReleasedDoesNotHoldUpTheOthers() {
        RetryingStore store = new RetryingStore(failingOnOneLease(), ticker, "orders", Meters.NONE, released::add);
        long end = ticker.nanos() + Duration.ofSeconds(20).toNanos();

        store.releaseLater(new LeaseId(BROKEN, "holder"), end);
        IntStream.range(0, 20).forEach(i -> store.releaseLater(new LeaseId("orders::" + i, "holder"), end));

        await().until(() -> released.size() == 20 && !released.contains(BROKEN));
    }

    @Test
    void aReleaseThatFindsNoThreadIsMadeLater() {
        RetryingStore store = new RetryingStore(failingOnOneLease(), ticker, "orders", Meters.NONE, key -> {});
        AtomicInteger refusals = new AtomicInteger(1);
        ReleaseRetrier retrier = new ReleaseRetrier(store, ticker, released::add, task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Threads.execute(task);
        });

        retrier.release(
                new LeaseId("orders::42", "holder"), ticker.nanos() + Duration.ofSeconds(20).toNanos());

        await().until(() -> released.contains("orders::42"));
    }

    @Test
    void aLoneReleaseThatMetAnotherTransactionIsRepeatedInTheSameRound() {
        JumpingTicker time = new JumpingTicker();
        RetryingStore store = new RetryingStore(contendedOnce(), time, "orders", Meters.NONE, released::add);

        store.releaseLater(new LeaseId("orders::42", "holder"), Duration.ofSeconds(20).toNanos());

        await().until(() -> released.contains("orders::42"));
        assertThat(Duration.ofNanos(time.nanos()))
                .as("the rounds are 100 milliseconds apart, or more")
                .isPositive()
                .isLessThan(Duration.ofMillis(100));
    }

    /** A ticker whose time passes only while a thread parks, and then at once. */
    private static final class JumpingTicker implements Ticker {

        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanos() {
            return now.get();
        }

        @Override
        public long epochMillis() {
            return TimeUnit.NANOSECONDS.toMillis(nanos());
        }

        @Override
        public void parkUntil(Object blocker, long deadline) {
            now.accumulateAndGet(deadline, Math::max);
        }
    }

    private static LeaseStore contendedOnce() {
        AtomicBoolean contended = new AtomicBoolean();
        return store(leases -> {
            if (contended.compareAndSet(false, true)) {
                throw new StoreException(Kind.CONTENTION, "a deadlock");
            }
        });
    }

    private static LeaseStore failingOnOneLease() {
        return store(leases -> {
            if (leases.contains(new LeaseId(BROKEN, "holder"))) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "the row is broken");
            }
        });
    }

    /** Lets a release fail. */
    @FunctionalInterface
    private interface Fault {
        void at(Collection<?> leases) throws StoreException;
    }

    /** Returns a store that releases all leases, unless the fault comes before. */
    private static LeaseStore store(Fault fault) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[]{LeaseStore.class}, (proxy, method, arguments) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    Collection<?> leases = (Collection<?>) arguments[0];
                    fault.at(leases);
                    return Set.copyOf(leases);
                });
    }
}
