// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.hazelcast.HazelcastJar;
import com.github.reservation.internal.hazelcast.HazelcastLeases;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.ReservationMetrics;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.Objects;

/**
 * Builds managers on a Hazelcast cluster, through a member or a client. The members need nothing of this library.
 *
 * <p>The locks are keys of the map {@code {mapPrefix}-{domain}}. A lock and an unlock are one round trip each, and Hazelcast
 * parks the waiters. A lease ends on time; if the process has died, as a rule within three seconds after. A client that is cut off
 * from its cluster has lost its locks, and its listeners are called. If a network failure splits the cluster, both parts can grant
 * the same key, unless split-brain protection is configured for the map; then the smaller part loses its locks, and its listeners
 * are called. There are no fencing tokens: use it to avoid double work, not where two holders at once do harm.
 *
 * <p>The instance stays yours: close the managers before you shut it down.
 */
@SuppressWarnings("exports") // A caller that has a HazelcastInstance has Hazelcast.
public final class HazelcastReservationManagerBuilder
        extends AbstractReservationManagerBuilder<HazelcastReservationManagerBuilder> {

    private static final Duration FIRST_PAUSE_AFTER_A_FAILURE = Duration.ofMillis(10);

    // No member names Hazelcast in the class file, so that a container or a mock can look at this class without it.
    private final Object hazelcastInstance;
    private String mapPrefix = "reservations";

    /** See {@link ReservationManager#hazelcast}. */
    @SuppressWarnings("ExtendsObject") // Not redundant: it is the erasure.
    public <H extends Object & HazelcastInstance> HazelcastReservationManagerBuilder(H hazelcastInstance) {
        HazelcastJar.require();
        this.hazelcastInstance = Objects.requireNonNull(hazelcastInstance, "hazelcastInstance must not be null");
    }

    /**
     * Sets what the name of the map begins with: the map is {@code {mapPrefix}-{domain}}. Default: {@code reservations}.
     *
     * <p>Two pairs can give the same name: {@code eu} and {@code orders-old}, {@code eu-orders} and {@code old}. They share
     * their locks then.
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
     * Builds the manager; asks the cluster nothing.
     *
     * @throws IllegalStateException if no domain was set, if the instance is shut down, or if the lease time is longer than
     *     its configuration allows; a client finds that out with its first lock
     */
    @Override
    public ReservationManager build() {
        String mapName = mapPrefix + '-' + requireDomain();
        return new StoreReservationManager(
                new HazelcastLeases((HazelcastInstance) hazelcastInstance, mapName, leaseTime()),
                new ManagerSettings(
                        requireDomain(),
                        leaseTime(),
                        false,
                        FIRST_PAUSE_AFTER_A_FAILURE,
                        HazelcastLeases.LONGEST_WAIT,
                        Ticker.system(),
                        ReservationMetrics.of(meterRegistry(), "hazelcast")));
    }
}
