// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.util.ThreadUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which owner Hazelcast sees while a thread runs in the name of one. */
class LockOwnerTest {

    @AfterEach
    void resetThread() {
        ThreadUtil.removeThreadId();
    }

    @Test
    void eachAcquisitionIsAnotherOwner_andNoThread() throws Exception {
        long first = LockOwner.of("42").run(ThreadUtil::getThreadId);
        long second = LockOwner.of("42").run(ThreadUtil::getThreadId);

        assertThat(second).isNotEqualTo(first);
        assertThat(first).isGreaterThan(1L << 61).isNotEqualTo(Thread.currentThread().threadId());
    }

    @Test
    void theThreadHasItsOwnIdentityAfterwards() throws Exception {
        LockOwner outer = LockOwner.of("42");
        LockOwner inner = LockOwner.of("43");
        outer.run(() -> {
            long before = ThreadUtil.getThreadId();
            inner.run(() -> true);
            assertThat(ThreadUtil.getThreadId()).isEqualTo(before);
            return true;
        });
        assertThat(ThreadUtil.getThreadId()).isEqualTo(Thread.currentThread().threadId());

        ThreadUtil.setThreadId(7); // As a transaction does.
        outer.run(() -> true);
        assertThat(ThreadUtil.getThreadId()).isEqualTo(7);
    }
}
