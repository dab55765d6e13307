// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.LeaseId;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which records are forgotten. */
@Needs(Backend.HAZELCAST)
class PurgeTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Test
    void whatNobodyUsedForADayIsForgotten_andNothingElse() throws Exception {
        HazelcastInstance member = TestInstances.member();
        try {
            IMap<String, String> map = member.getMap("reservations-purged");
            HazelcastLeaseStore store = new HazelcastLeaseStore(member, "reservations-purged", LEASE);
            store.acquire(AcquireRequest.once(new LeaseId("held", "a-1"), LEASE, AcquireRequest.NO_NODE));
            map.put("free for long", free(Duration.ofHours(25)));
            map.put("free for some hours", free(Duration.ofHours(23)));
            map.put("left behind for long", left("left behind for long", Duration.ofHours(25)));
            map.put("left behind for some hours", left("left behind for some hours", Duration.ofHours(23)));

            assertThat(store.purge()).isFalse();

            assertThat(map.keySet())
                    .containsExactlyInAnyOrder("held", "free for some hours", "left behind for some hours");
        } finally {
            member.shutdown();
        }
    }

    private static String free(Duration since) {
        return MapRecord.next(null, row("any", since).released(micros(since))).text();
    }

    private static String left(String key, Duration since) {
        return MapRecord.next(null, row(key, since)).text();
    }

    private static LeaseRow row(String key, Duration since) {
        long time = micros(since);
        return new LeaseRow(new LeaseId(key, "a-1"), time, time, time, List.of(), time);
    }

    private static long micros(Duration ago) {
        return Instant.now().minus(ago).toEpochMilli() * 1000;
    }
}
