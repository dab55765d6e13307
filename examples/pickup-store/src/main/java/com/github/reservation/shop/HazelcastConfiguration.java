// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A Hazelcast member in this process. It looks for others on this machine only, and never by multicast. */
@Configuration(proxyBeanMethods = false)
@Profile("hazelcast")
class HazelcastConfiguration {

    @Bean(destroyMethod = "shutdown")
    HazelcastInstance hazelcast() {
        Config config = new Config().setClusterName("pickup-store");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        // Spring shuts it down, after the last request.
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1");
        return Hazelcast.newHazelcastInstance(config);
    }
}
