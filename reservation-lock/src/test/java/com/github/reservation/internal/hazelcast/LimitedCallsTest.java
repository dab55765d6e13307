// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LimitedCallsTest {

    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final LimitedCalls calls = new LimitedCalls(() -> false);

    private static long in(long millis) {
        return System.nanoTime() + Duration.ofMillis(millis).toNanos();
    }

    @Test
    void aCallThatHangsIsEnded_andLeavesNoInterruptBehind() {
        long start = System.nanoTime();

        assertThatThrownBy(() -> calls.run(in(100), () -> {
            new CountDownLatch(1).await();
            return true;
        })).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(100),
                Duration.ofSeconds(10));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aCallThatIgnoresItsEndStillReturnsItsAnswer_andLeavesNoInterruptBehind() throws Exception {
        String answer = calls.run(in(50), () -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            return "answer";
        });

        assertThat(answer).isEqualTo("answer");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptOfTheCallerStaysWithIt() {
        assertThatThrownBy(() -> calls.run(System.nanoTime() + FOREVER, () -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(new InterruptedException());
        })).isInstanceOf(StoreException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void withoutAConnectionNothingIsTried() {
        LimitedCalls offline = new LimitedCalls(() -> true);

        assertThatThrownBy(() -> offline.run(in(1000), () -> {
            throw new AssertionError("tried");
        })).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }

    @Test
    void theClockKeepsNothingOfACallThatWasEnded() throws Exception {
        WeakReference<Object> user = endACall();

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return user.get() == null;
        });
    }

    private static WeakReference<Object> endACall() {
        Object user = new Object();
        LimitedCalls abandoned = new LimitedCalls(() -> user.hashCode() == 0 && user.equals(""));
        assertThatThrownBy(() -> abandoned.run(in(500), () -> {
            new CountDownLatch(1).await();
            return true;
        })).isInstanceOf(StoreException.class);
        return new WeakReference<>(user);
    }
}
