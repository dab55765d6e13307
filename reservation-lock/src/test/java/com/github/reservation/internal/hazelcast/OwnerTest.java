// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.util.ThreadUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who a thread is, for Hazelcast, while it asks in somebody's name. */
class OwnerTest {

    @AfterEach
    void beOneselfAgain() {
        ThreadUtil.removeThreadId();
    }

    @Test
    void eachRequestIsAnotherOwner_andNoThread() throws Exception {
        long first = Owner.of("42").asks(ThreadUtil::getThreadId);
        long second = Owner.of("42").asks(ThreadUtil::getThreadId);

        assertThat(second).isNotEqualTo(first);
        assertThat(first).isGreaterThan(1L << 61).isNotEqualTo(Thread.currentThread().threadId());
    }

    @Test
    void theThreadIsWhoItWasBefore() throws Exception {
        Owner outer = Owner.of("42");
        Owner inner = Owner.of("43");
        outer.asks(() -> {
            long before = ThreadUtil.getThreadId();
            inner.asks(() -> true);
            assertThat(ThreadUtil.getThreadId()).isEqualTo(before);
            return true;
        });
        assertThat(ThreadUtil.getThreadId()).isEqualTo(Thread.currentThread().threadId());

        ThreadUtil.setThreadId(7); // As a transaction does.
        outer.asks(() -> true);
        assertThat(ThreadUtil.getThreadId()).isEqualTo(7);
    }
}
