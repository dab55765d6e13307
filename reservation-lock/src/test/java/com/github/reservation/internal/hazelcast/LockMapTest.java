// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client fetches a map with one request for all threads, which fails for all of them if one is interrupted. */
@Needs(Backend.HAZELCAST)
class LockMapTest {

    private final LockMap map = new LockMap(instanceThatFailsToFetch(), "orders", new InFlightCalls(), () -> {});

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void aThreadThatWasNotInterruptedTriesAgain() {
        assertThatThrownBy(() -> map.isLocked("42"))
                .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONTENTION));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void theThreadThatWasInterruptedKeepsItsInterrupt() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> map.isLocked("42"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    private static HazelcastInstance instanceThatFailsToFetch() {
        return (HazelcastInstance) Proxy.newProxyInstance(
                LockMapTest.class.getClassLoader(), new Class<?>[]{HazelcastInstance.class}, (proxy, method, args) -> {
                    throw new HazelcastException(new InterruptedException());
                });
    }
}
