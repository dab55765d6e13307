// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.CallInterceptor;
import com.github.reservation.hazelcast.TestInstances;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever unlocks all holds of an owner must stop at the last one: a member logs each unlock in vain with a stack trace. */
@Needs(Backend.HAZELCAST)
class UnlockInVainTest {

    private static final int CALLS = 200;

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final LockMap map = new LockMap(interceptor.instance(), "orders", new InFlightCalls(), () -> {});
    private final LockOwner owner = LockOwner.of("42");

    @AfterEach
    void stop() {
        member.shutdown();
    }

    @Test
    void aLookThatSeesAnotherOwnerAfterTheLastHoldUnlocksNothingInVain() throws Exception {
        for (int hold = 0; hold < 3; hold++) {
            assertThat(map.tryLock(owner, Duration.ZERO, Duration.ofMinutes(1))).isTrue();
        }
        AtomicInteger others = new AtomicInteger(5);
        List<Exception> inVain = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            interceptor.next("isLocked", real -> (boolean) real.call() || others.getAndDecrement() > 0);
            interceptor.next("unlock", real -> {
                try {
                    return real.call();
                } catch (IllegalMonitorStateException e) {
                    inVain.add(e);
                    throw e;
                }
            });
        }

        map.unlockAll(owner);

        assertThat(inVain).isEmpty();
        assertThat(others).as("looks that saw another owner").hasValue(-1);
        assertThat(map.isLocked("42")).isFalse();
    }
}
