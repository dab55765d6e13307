// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks the configuration of a member. A client does not know the configuration of its members. */
final class ConfigCheck {

    private static final String MAX_LEASE = "hazelcast.lock.max.lease.time.seconds";

    private ConfigCheck() {}

    /**
     * Refuses a configuration that makes locks fail, and warns of one that loses descriptions.
     *
     * @param lockTime for how long Hazelcast will be asked to lock
     */
    static void check(HazelcastInstance instance, String mapName, Duration leaseTime, Duration lockTime) {
        if (!isRunning(instance)) {
            throw new IllegalStateException("hazelcastInstance must be running, but is shut down");
        }
        if (instance.getLocalEndpoint() instanceof Member) {
            Config config = instance.getConfig();
            requireLeaseAllowed(config, leaseTime, lockTime);
            warnOfEviction(config.findMapConfig(mapName), mapName);
        }
    }

    /** Warns of a configuration that loses locks when members die or the cluster splits, unless the member is alone. */
    static void warn(HazelcastInstance instance, String mapName) {
        if (isRunning(instance)
                && instance.getLocalEndpoint() instanceof Member
                && instance.getCluster().getMembers().size() > 1) {
            Config config = instance.getConfig();
            MapConfig map = config.findMapConfig(mapName);
            if (map.getTotalBackupCount() == 0) {
                Log.warn("Map " + mapName + " has no backups: when a member dies, the locks that it keeps are lost",
                        null);
            }
            if (!isProtected(config, map.getSplitBrainProtectionName())) {
                Log.warn("Map " + mapName + " has no split-brain protection: when the network splits the cluster, both "
                        + "sides grant the same key", null);
            }
        }
    }

    private static boolean isProtected(Config config, @Nullable String name) {
        SplitBrainProtectionConfig protection =
                name == null ? null : config.getSplitBrainProtectionConfigs().get(name);
        return protection != null
                && protection.isEnabled()
                && protection.getProtectOn() != SplitBrainProtectionOn.READ;
    }

    private static boolean isRunning(HazelcastInstance instance) {
        try {
            return instance.getLifecycleService().isRunning();
        } catch (HazelcastInstanceNotActiveException e) {
            return false;
        }
    }

    private static void requireLeaseAllowed(Config config, Duration leaseTime, Duration lockTime) {
        String limit = property(config, MAX_LEASE);
        if (limit != null && lockTime.compareTo(Duration.ofSeconds(Long.parseLong(limit))) > 0) {
            throw new IllegalStateException("leaseTime is too long: " + leaseTime + " and " + lockTime.minus(leaseTime)
                    + " that are added to it; this cluster allows " + limit + " seconds (" + MAX_LEASE + ")");
        }
    }

    private static @Nullable String property(Config config, String name) {
        String configured = config.getProperty(name);
        return configured == null ? System.getProperty(name) : configured;
    }

    private static void warnOfEviction(MapConfig map, String mapName) {
        if (map.getEvictionConfig().getEvictionPolicy() != EvictionPolicy.NONE || map.getMaxIdleSeconds() > 0) {
            Log.warn(
                    "Map " + mapName + " is configured with eviction or max-idle-seconds: the locks are safe, but the "
                            + "values that say who holds them can disappear. Give it a configuration without.",
                    null);
        }
    }
}
