// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A cluster of one member, of the Hazelcast version that Spring Boot manages. All contexts share it, because it starts slowly. */
@Configuration(proxyBeanMethods = false)
class HazelcastMember {

    private static HazelcastInstance shared;

    @Bean(destroyMethod = "")
    synchronized HazelcastInstance member() {
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    private static HazelcastInstance start() {
        Config config = new Config();
        config.setClusterName("starter-" + ProcessHandle.current().pid());
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().setPublicAddress("127.0.0.1").getInterfaces().setEnabled(true).addInterface(
                "127.0.0.1");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        return Hazelcast.newHazelcastInstance(config);
    }

    static void shutDown() {
        if (shared != null) {
            shared.shutdown();
            shared = null;
        }
    }
}
