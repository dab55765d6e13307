// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A client of the {@link HazelcastMember}. */
@Configuration(proxyBeanMethods = false)
class HazelcastClients {

    @Bean(destroyMethod = "shutdown")
    HazelcastInstance client(HazelcastInstance member) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(member.getConfig().getClusterName());
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig()
                .addAddress("127.0.0.1:" + member.getCluster().getLocalMember().getAddress().getPort());
        return HazelcastClient.newHazelcastClient(config);
    }
}
