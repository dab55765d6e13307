// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.hazelcast.TestInstances;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a worker needs to know to connect through its own wire. {@link #toString()} is for a command line. */
public sealed interface Access {

    /** Reads what {@link #toString()} has written. */
    static Access of(String text) {
        String[] parts = text.split(" ");
        return parts[0].equals("cluster")
                ? new Cluster(parts[1], Stream.of(parts[2].split(",")).map(Integer::valueOf).toList(), parts[3])
                : new Database(parts[0], parts[1], parts[2]);
    }

    /**
     * A database. There is no password: the empty string.
     *
     * @param ddl the name of its DDL
     * @param url with the timeouts of the driver that users are told to set
     */
    record Database(String ddl, String url, String user) implements Access {

        @Override
        public String toString() {
            return String.join(" ", ddl, url, user);
        }
    }

    /**
     * A Hazelcast cluster.
     *
     * @param ports where to find it on 127.0.0.1
     * @param outboundPorts where the client must come from, so that its faults are its own
     */
    record Cluster(String name, List<Integer> ports, String outboundPorts) implements Access {

        /** Connects, and returns when it has found the cluster. */
        public HazelcastInstance connect() {
            ClientConfig config = TestInstances.clientConfig(ports);
            config.setClusterName(name);
            config.getNetworkConfig().addOutboundPortDefinition(outboundPorts);
            // As docs/backends/hazelcast.md recommends, so that a member that does not answer is given up in time.
            config.setProperty("hazelcast.client.heartbeat.interval", "1000");
            config.setProperty("hazelcast.client.heartbeat.timeout", "5000");
            return HazelcastClient.newHazelcastClient(config);
        }

        @Override
        public String toString() {
            return String.join(" ", "cluster", name,
                    ports.stream().map(String::valueOf).collect(Collectors.joining(",")), outboundPorts);
        }
    }
}
