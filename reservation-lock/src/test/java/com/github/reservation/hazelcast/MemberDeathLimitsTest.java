// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members die and join while requests are slow: no call takes for ever, and no node is left out afterwards. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberDeathLimitsTest {

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int CUT_OFF = 0;

    private BreakableCluster cluster;
    private List<HazelcastInstance> clients;

    @BeforeEach
    void start() {
        cluster = new BreakableCluster();
        clients = Stream.generate(cluster::client).limit(3).toList();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void tryLockReturnsSoonWhileRequestsAreSlowAndMembersDieAndJoin() throws Exception {
        try (HotKeys load = new HotKeys(false, clients)) {
            cluster.delay(MemberDeathLimitsTest::someTime);
            awaitGrants(load);
            cluster.kill(1);
            awaitGrants(load);
            cluster.replace(1);
            awaitGrants(load);
            cluster.mend();

            load.endsWell();
            assertThat(load.longestTry()).as(load.summary()).isLessThan(LIMIT);
        }
    }

    @Test
    void aNodeThatWasCutOffGetsHotKeysAgain() throws Exception {
        try (HotKeys load = new HotKeys(true, clients)) {
            cluster.delay(MemberDeathLimitsTest::someTime);
            cluster.cut(CUT_OFF);
            cluster.kill(1);
            awaitGrants(load);
            cluster.replace(1);
            cluster.awaitSafe();
            TimeUnit.SECONDS.sleep(2); // The cut itself: long enough for the members to forget the client.
            cluster.mend();
            Awaitility.await().until(() -> clients.get(CUT_OFF).getCluster().getMembers().size() == 3);

            long quiet = System.nanoTime();
            TimeUnit.SECONDS.sleep(8);

            load.endsWell();
            assertThat(load.shares(quiet)).as(load.summary())
                    .allSatisfy((share, times) -> assertThat(times).as(share).isGreaterThanOrEqualTo(3));
        }
    }

    private static Duration someTime() {
        return Duration.ofMillis(ThreadLocalRandom.current().nextInt(300));
    }

    /** Waits until some more holds have come and gone. */
    private static void awaitGrants(HotKeys load) {
        int before = load.holds().size();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> load.holds().size() > before + 5);
    }
}
