// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Log;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.EntryView;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.IMap;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import org.jspecify.annotations.Nullable;

/** Checks the settings of the map. A member knows all of them; a client sees some of them in an entry. */
final class ConfigCheck {

    private ConfigCheck() {}

    /** Refuses an instance that is shut down, and the configuration of a member that would lose records or show old ones. */
    static void check(HazelcastInstance instance, String mapName) {
        if (!isRunning(instance)) {
            throw new IllegalStateException("hazelcastInstance must be running, but is shut down");
        }
        if (instance.getLocalEndpoint() instanceof Member) {
            MapConfig map = instance.getConfig().findMapConfig(mapName);
            require(mapName, "eviction", map.getEvictionConfig().getEvictionPolicy() == EvictionPolicy.NONE);
            require(mapName, "max-idle-seconds", map.getMaxIdleSeconds() == 0);
            require(mapName, "time-to-live-seconds", map.getTimeToLiveSeconds() == 0);
            require(mapName, "read-backup-data", !map.isReadBackupData());
            require(mapName, "near-cache", !map.isNearCacheEnabled());
        }
    }

    private static void require(String mapName, String setting, boolean fulfilled) {
        if (!fulfilled) {
            throw new IllegalStateException("Map " + mapName + " is configured with " + setting
                    + ", which would lose locks: give it a configuration without");
        }
    }

    /** Returns what an entry of the map shows of settings that lose records or show old ones; null if nothing. */
    static @Nullable String problemOf(IMap<String, String> map, String key) {
        EntryView<String, String> entry = map.getEntryView(key);
        if (entry != null && isLimited(entry.getTtl())) {
            return "its entries have a time-to-live, of " + entry.getTtl() + " ms";
        }
        if (entry != null && isLimited(entry.getMaxIdle())) {
            return "its entries have a longest idle time, of " + entry.getMaxIdle() + " ms";
        }
        return map.getLocalMapStats().getNearCacheStats() == null ? null : "it has a near cache";
    }

    private static boolean isLimited(long millis) {
        return millis > 0 && millis < Long.MAX_VALUE;
    }

    /** Warns of a configuration that loses locks when members die or the cluster splits, unless the member is alone. */
    static void warn(HazelcastInstance instance, String mapName) {
        if (isRunning(instance)
                && instance.getLocalEndpoint() instanceof Member
                && instance.getCluster().getMembers().size() > 1) {
            Config config = instance.getConfig();
            MapConfig map = config.findMapConfig(mapName);
            if (map.getBackupCount() == 0) {
                Log.warn(
                        "Map " + mapName + " has no backup-count: when a member dies, the locks that it keeps are lost",
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
}
