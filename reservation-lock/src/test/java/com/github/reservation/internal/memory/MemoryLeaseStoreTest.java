// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LossReason;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.SignallingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The queue of nodes in the store: which node is notified, which steps aside, which is forgotten. */
class MemoryLeaseStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryLeaseStore leases = new MemoryLeaseStore(ticker, new Faults());
    private final List<String> notified = new ArrayList<>();

    @Test
    void aReleaseNotifiesOnlyTheFirstInLine() throws Exception {
        listen("a", "b", "c");
        acquire("1", "a", false);
        acquire("2", "b", true);
        acquire("3", "c", true);

        release("1");

        assertThat(notified).containsExactly("b");
        assertThat(acquire("4", "c", true)).isInstanceOf(Refused.class);
        assertThat(acquire("5", "a", false)).isInstanceOf(Refused.class);
        assertThat(acquire("6", "b", false)).isInstanceOf(Granted.class);
    }

    @Test
    void whoNoLongerWantsItsTurnPassesItOnAtOnce() throws Exception {
        listen("b", "c");
        acquire("1", "a", false);
        acquire("2", "b", true);
        acquire("3", "c", true);
        release("1");

        leases.withdraw("key", "b");

        assertThat(notified).containsExactly("b", "c");
        assertThat(acquire("4", "c", true)).isInstanceOf(Granted.class);
    }

    @Test
    void withdrawingFromAHeldKeyOnlyLeavesTheLine() throws Exception {
        listen("b", "c");
        acquire("1", "a", false);
        acquire("2", "b", true);
        acquire("3", "c", true);

        leases.withdraw("key", "b");
        assertThat(notified).isEmpty();
        release("1");

        assertThat(notified).containsExactly("c");
    }

    @Test
    void theLastToWithdrawLeavesTheKeyFreeForAll() throws Exception {
        acquire("1", "a", false);
        acquire("2", "b", true);
        release("1");

        leases.withdraw("key", "b");

        assertThat(leases.size()).isZero();
        assertThat(acquire("3", "c", false)).isInstanceOf(Granted.class);
    }

    @Test
    void aDeadNodeFirstInLineHoldsTheKeyBackForItsGraceOnly_whateverOtherNodesDo() throws Exception {
        acquire("1", "a", false);
        acquire("2", "dead", true);
        release("1");

        for (int i = 0; i < 9; i++) {
            assertThat(acquire("try" + i, "b", true)).isInstanceOf(Refused.class);
            ticker.advance(MemoryLeaseStore.GRACE.dividedBy(9).plusNanos(1));
            leases.withdraw("key", "b");
        }

        assertThat(acquire("last", "b", false)).isInstanceOf(Granted.class);
    }

    @Test
    void aNodeThatLetsItsTurnPassIsNotWaitedForAgain() throws Exception {
        acquire("1", "a", false);
        acquire("2", "dead", true);
        release("1");
        ticker.advance(MemoryLeaseStore.GRACE);
        acquire("3", "a", false);

        release("3");

        assertThat(acquire("4", "a", false)).isInstanceOf(Granted.class);
    }

    @Test
    void leasesThatExpiredDoNotPileUp() throws Exception {
        for (int i = 0; i < 100_000; i++) {
            leases.acquire(AcquireRequest.once(new LeaseId("key-" + i, "holder"), LEASE, AcquireRequest.NO_NODE));
            ticker.advance(LEASE.dividedBy(100));
        }

        assertThat(leases.size()).as("100 leases run at any time").isLessThan(3_000);
        assertThat(leases.list("key-")).hasSizeBetween(99, 101);
    }

    @Test
    void releaseAndQueueLinesUpBehindThoseWhoWait() throws Exception {
        listen("a", "b");
        acquire("1", "a", false);
        acquire("2", "b", true);

        assertThat(leases.releaseAndQueue(new LeaseId("key", "1"), "a", true)).isTrue();
        assertThat(acquire("3", "a", true)).isInstanceOf(Refused.class);
        acquire("4", "b", true);
        release("4");

        assertThat(notified).containsExactly("b", "a");
        assertThat(acquire("5", "b", true)).isInstanceOf(Refused.class);
        assertThat(acquire("6", "a", true)).isInstanceOf(Granted.class);
    }

    @Test
    void theFirstToAskGetsAnExpiredLease() throws Exception {
        acquire("1", "a", false);
        acquire("2", "b", true);
        ticker.advance(LEASE);

        assertThat(acquire("3", "c", false)).isInstanceOf(Granted.class);
        assertThat(acquire("4", "a", true)).isEqualTo(new Refused(LEASE, true));
        release("3");
        assertThat(acquire("5", "a", true)).as("b still comes first").isInstanceOf(Refused.class);
    }

    @Test
    void aRefusalTellsTheRemainingTimeAndWhetherItWasNoted() throws Exception {
        acquire("1", "a", false);
        ticker.advance(Duration.ofSeconds(4));

        assertThat(acquire("2", "b", false)).isEqualTo(new Refused(Duration.ofSeconds(6), false));
        assertThat(acquire("3", "b", true)).isEqualTo(new Refused(Duration.ofSeconds(6), true));
        release("1");
        assertThat(acquire("4", "c", false)).isEqualTo(new Refused(MemoryLeaseStore.GRACE, false));
    }

    @Test
    void fencesGrowAlthoughRowsComeAndGo() throws Exception {
        long last = 0;
        for (int i = 0; i < 100; i++) {
            Granted granted = (Granted) acquire("h" + i, "a", false);
            assertThat(granted.fence().orElseThrow()).isGreaterThan(last);
            last = granted.fence().orElseThrow();
            release("h" + i);
            assertThat(leases.size()).isZero();
        }
    }

    @Test
    void theSameHolderIsRefusedLikeAnyOther() throws Exception {
        acquire("1", "a", false);

        assertThat(acquire("1", "a", false)).isInstanceOf(Refused.class);
    }

    private Acquisition acquire(String holder, String node, boolean waits) throws Exception {
        return leases.acquire(new AcquireRequest(new LeaseId("key", holder), LEASE, node, waits, false));
    }

    private void release(String holder) throws Exception {
        LeaseId lease = new LeaseId("key", holder);
        assertThat(leases.release(List.of(lease))).containsExactly(lease);
    }

    private void listen(String... nodes) {
        for (String node : nodes) {
            leases.subscribe(new SignallingStore.Listener() {
                @Override
                public String node() {
                    return node;
                }

                @Override
                public void free(String key) {
                    notified.add(node);
                }

                @Override
                public void lost(Set<LeaseId> lost, LossReason reason) {}
            });
        }
    }
}
