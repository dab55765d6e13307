// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DeadlineThreadTest {

    @Test
    void anErrorDoesNotEndTheThread() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        CountDownLatch worked = new CountDownLatch(1);
        DeadlineThread thread = new DeadlineThread(
                "reservation-leases-failing",
                next -> {
                    if (failed.compareAndSet(false, true)) {
                        throw new AssertionError("for the test");
                    }
                    worked.countDown();
                    return next;
                },
                () -> true);

        thread.watch(System.nanoTime() + Duration.ofHours(1).toNanos());

        assertThat(worked.await(10, TimeUnit.SECONDS)).isTrue();
        thread.close();
    }
}
