// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Members die one at a time and are replaced, while three nodes want three hot keys; the cluster is safe before the next one dies. The
 * build does not run it, because of its name:
 *
 * <pre>mvn test -pl reservation-lock -Dtest=MemberDeathStress -Dkills=100 -Dfaults=delay,cut</pre>
 *
 * <p>{@code -Dfaults} adds some: {@code delay} lets requests wait for up to 3 s, {@code hang} lets those of one member wait for longer,
 * {@code cut} disconnects a node for 2 or 12 s.
 */
@Needs(Backend.HAZELCAST)
class MemberDeathStress {

    private static final int KILLS = Integer.getInteger("kills", 10);
    private static final Set<String> FAULTS = Set.of(System.getProperty("faults", "").split(","));
    private static final Duration QUIET = Duration.ofSeconds(8);

    @Test
    void noKeyIsHeldTwice_andEachNodeGetsEachKeyAfterwards() throws Exception {
        try (BreakableCluster cluster = new BreakableCluster()) {
            List<HazelcastInstance> clients =
                    Stream.generate(cluster::client).limit(3).toList();
            try (HotKeys load = new HotKeys(FAULTS.contains("cut"), clients)) {
                for (int kill = 1; kill <= KILLS; kill++) {
                    disturb(cluster);
                    int member = random(0, BreakableCluster.SIZE);
                    cluster.kill(member);
                    Thread.sleep(random(0, 1500));
                    cluster.replace(member);
                    cluster.awaitSafe();
                    Thread.sleep(random(0, 1500));
                    cluster.mend();
                    System.out.println(kill + " kills: " + load.summary());
                }
                long quiet = System.nanoTime();
                Thread.sleep(QUIET.toMillis());
                System.out.println("quiet: " + load.shares(quiet));
                load.endsWell();
                assertThat(load.shares(quiet).values()).as("%s", load.shares(quiet))
                        .allSatisfy(times -> assertThat(times).isGreaterThanOrEqualTo(3));
            }
        }
    }

    private static void disturb(BreakableCluster cluster) throws InterruptedException {
        if (FAULTS.contains("delay") && random(0, 2) == 0) {
            int longest = List.of(200, 500, 3000).get(random(0, 3));
            cluster.delay(() -> random(0, 4) == 0 ? Duration.ofMillis(random(0, longest)) : Duration.ZERO);
        }
        if (FAULTS.contains("hang") && random(0, 3) == 0) {
            cluster.hang(random(0, BreakableCluster.SIZE), Duration.ofMillis(random(1000, 6000)));
        }
        if (FAULTS.contains("cut") && random(0, 3) == 0) {
            cluster.cut(random(0, 3));
            Thread.sleep(random(0, 2) == 0 ? 2_000 : 12_000);
            if (random(0, 2) == 0) {
                cluster.mend();
            }
        }
    }

    private static int random(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }
}
