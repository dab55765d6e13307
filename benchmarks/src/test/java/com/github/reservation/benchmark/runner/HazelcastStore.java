// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import static com.github.reservation.benchmark.runner.Contender.OURS;
import static com.github.reservation.benchmark.runner.Contender.all;

import com.github.reservation.ReservationManager;
import com.github.reservation.hazelcast.MemberProcess;
import com.github.reservation.hazelcast.TestInstances;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A Hazelcast member in a JVM of its own. Nodes are clients. */
final class HazelcastStore implements Store {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final MemberProcess member = MemberProcess.toMeasure();

    @Override
    public String name() {
        return "Hazelcast";
    }

    @Override
    public String version() {
        return Versions.of("hazelcast");
    }

    @Override
    public List<Contender> contenders() {
        Set<Measure> leases = EnumSet.of(Measure.TAKE_OVER);
        return List.of(
                Contender.of(OURS, "a client for each node, without options",
                        all(Measure.UNCONTENDED, Measure.CONTENDED, leases), connections -> ours(newClient())),
                Contender.of(ShedLock.NAME, ShedLock.ON_HAZELCAST, Measure.UNCONTENDED,
                        connections -> ShedLock.onHazelcast(newClient())),
                new Contender("IMap.lock", "a client for each node, with a lease of a minute",
                        all(Measure.UNCONTENDED, Measure.CONTENDED, leases),
                        all(Measure.UNCONTENDED, Measure.CONTENDED),
                        connections -> raw(newClient())));
    }

    private HazelcastInstance newClient() {
        return TestInstances.client(member.port());
    }

    private static Node ours(HazelcastInstance client) {
        return Node.of(ReservationManager.hazelcast(client).domain("ours").build(), client::shutdown);
    }

    private static Node raw(HazelcastInstance client) {
        IMap<String, String> map = client.getMap("raw");
        return new Node(
                key -> new Key() {
                    @Override
                    public void lock() {
                        map.lock(key, LEASE.toMillis(), TimeUnit.MILLISECONDS);
                    }

                    @Override
                    public void unlock() {
                        map.unlock(key);
                    }
                },
                (key, lease) -> map.lock(key, lease.toMillis(), TimeUnit.MILLISECONDS),
                List.of(client::shutdown));
    }

    @Override
    public void close() {
        member.close();
    }
}
