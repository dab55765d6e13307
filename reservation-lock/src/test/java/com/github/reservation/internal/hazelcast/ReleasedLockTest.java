// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.CallInterceptor;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread that ends leases, or one that releases, may have seen a lock shortly before another thread released it. */
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

    @Test
    void aLockThatAnotherThreadHasJustReleasedIsNotTakenAgainByASecondRelease() throws Exception {
        HazelcastLeases leases = new HazelcastLeases(interceptor.instance(), "orders", Duration.ofMinutes(1));
        LeaseId lease = new LeaseId("42", "holder");
        leases.acquire(AcquireRequest.once(lease, Duration.ofMinutes(1), AcquireRequest.NO_NODE));
        List<String> requests = new ArrayList<>();
        interceptor.next("isLocked", real -> true); // The next owner, which releases the key right after this.
        interceptor.next("tryLock", real -> {
            requests.add("tryLock");
            return real.call();
        });
        CompletableFuture<Set<LeaseId>> second = new CompletableFuture<>();
        interceptor.next("unlock", real -> {
            Thread releasing =
                    Thread.ofPlatform().start(() -> second.completeAsync(() -> release(leases, lease), Runnable::run));
            await().until(() -> releasing.getState() == Thread.State.WAITING);
            return real.call();
        });

        Set<LeaseId> first = release(leases, lease);

        assertThat(first).containsExactly(lease);
        assertThat(second.get()).isEmpty();
        assertThat(requests).as("requests that make the key look taken").isEmpty();
    }

    private static Set<LeaseId> release(HazelcastLeases leases, LeaseId lease) {
        try {
            return leases.release(List.of(lease));
        } catch (StoreException e) {
            throw new AssertionError(e);
        }
    }
}
