// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Calls of a listener on a system that has no thread left for a while. */
class ListenerCallsTest {

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger refusals = new AtomicInteger(3);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Executor withoutThreadsAtFirst = task -> {
        if (refusals.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        Threads.execute(task);
    };
    private final ListenerCalls<String> calls =
            new ListenerCalls<>(ticker, Guard.of(this), told::add, 1, 10, withoutThreadsAtFirst);

    @Test
    void aCallThatFindsNoThreadIsMadeLater() {
        calls.call("lost");

        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofMillis(500));
            return !told.isEmpty();
        });
        assertThat(told).containsExactly("lost");
    }
}
