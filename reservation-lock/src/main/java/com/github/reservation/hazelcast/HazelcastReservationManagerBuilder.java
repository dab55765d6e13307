// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.hazelcast.HazelcastJar;
import com.github.reservation.internal.hazelcast.HazelcastLeaseStore;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.Objects;

/**
 * Builds managers on a Hazelcast cluster, through a member or a client. The members do not need this library.
 *
 * <p>The locks are entries of the map {@code {mapPrefix}-{domain}}, and have fencing tokens. A lock and an unlock take one round trip
 * each if no other node has used the key meanwhile. A lease ends on time, or, if its process has died, half a second after that, by the
 * clock of the members. A client that is cut off from its cluster keeps its holds until their leases end. If a network failure splits
 * the cluster, both parts can grant the same key, unless the map has split-brain protection: then the smaller part grants and renews
 * nothing, and the larger one keeps the keys of its holders until their leases end.
 *
 * <p>A manager does not shut down the instance. Close the managers before you shut it down.
 */
public final class HazelcastReservationManagerBuilder
        extends AbstractReservationManagerBuilder<HazelcastReservationManagerBuilder> {

    private static final Duration FIRST_POLL = Duration.ofMillis(10);

    // Object, not HazelcastInstance: containers and mocks must be able to inspect this class without Hazelcast.
    private final Object hazelcastInstance;
    private String mapPrefix = "reservations";

    /** Creates a builder, like {@link ReservationManager#hazelcast}. */
    public HazelcastReservationManagerBuilder(Object hazelcastInstance) {
        HazelcastJar.require();
        this.hazelcastInstance = Objects.requireNonNull(hazelcastInstance, "hazelcastInstance must not be null");
        if (!(hazelcastInstance instanceof HazelcastInstance)) {
            throw new IllegalArgumentException(
                    "hazelcastInstance must be a com.hazelcast.core.HazelcastInstance, but is a "
                            + hazelcastInstance.getClass().getName());
        }
    }

    /**
     * Sets the prefix of the map name, which is {@code {mapPrefix}-{domain}}. Default: {@code reservations}.
     *
     * <p>Two pairs can result in the same name: {@code eu} with {@code orders-old}, and {@code eu-orders} with {@code old}. They
     * share their locks then.
     *
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it is empty
     */
    public HazelcastReservationManagerBuilder mapPrefix(String mapPrefix) {
        Objects.requireNonNull(mapPrefix, "mapPrefix must not be null");
        if (mapPrefix.isEmpty()) {
            throw new IllegalArgumentException("mapPrefix must not be empty");
        }
        this.mapPrefix = mapPrefix;
        return this;
    }

    /**
     * Builds the manager without a call to the cluster.
     *
     * @throws IllegalStateException if no domain was set, if the instance is shut down, or if the configuration of the
     *     member would lose locks of the map; on a client, the first lock fails instead
     */
    @Override
    public ReservationManager build() {
        String mapName = mapPrefix + '-' + requireDomain();
        return new StoreReservationManager(
                new HazelcastLeaseStore((HazelcastInstance) hazelcastInstance, mapName, leaseTime()),
                new ManagerSettings(
                        requireDomain(),
                        leaseTime(),
                        false,
                        FIRST_POLL,
                        HazelcastLeaseStore.LONGEST_POLL,
                        Ticker.system(),
                        Meters.of(meterRegistry(), "hazelcast"))
                        .autoRenew(maxHold())
                        .holderLabel(holderLabel()));
    }
}
