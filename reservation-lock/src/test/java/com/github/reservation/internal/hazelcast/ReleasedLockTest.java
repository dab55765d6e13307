// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.CallInterceptor;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.internal.store.LeaseId;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread that ends leases may have seen a lock shortly before its holder released it. */
@Needs(Backend.HAZELCAST)
class ReleasedLockTest {

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final InFlightCalls calls = new InFlightCalls();
    private final LockMap map = new LockMap(interceptor.instance(), "orders", calls, () -> {});
    private final OwnedLocks owned = new OwnedLocks(
            map, new HolderDescriptions(map, "test"), new LateGrantCleanup(map, calls, "orders"), () -> true, "test");

    @AfterEach
    void stop() {
        owned.close();
        member.shutdown();
    }

    @Test
    void aLockThatWasReleasedIsNotTakenAgainWhenItIsEnded() throws Exception {
        OwnedLock lock = new OwnedLock(new LeaseId("42", "holder"), LockOwner.of("42"), Duration.ofMinutes(1));
        assertThat(map.tryLock(lock.owner, Duration.ZERO, Duration.ofMinutes(2))).isTrue();
        owned.add(lock);
        assertThat(owned.<Boolean>inTurn(lock, () -> owned.release(lock))).isTrue();
        List<String> requests = new ArrayList<>();
        interceptor.next("isLocked", real -> true); // The next owner, which releases the key right after this.
        interceptor.next("tryLock", real -> {
            requests.add("tryLock");
            return real.call();
        });

        owned.end(lock);

        assertThat(requests).as("requests that make the key look taken").isEmpty();
    }
}
