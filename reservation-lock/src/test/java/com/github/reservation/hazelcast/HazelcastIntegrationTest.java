// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.RoutingMode;
import com.hazelcast.core.HazelcastInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** The whole contract on a client of Hazelcast's own image; runs where there is Docker. */
@Needs(Backend.HAZELCAST)
class HazelcastIntegrationTest extends BackendContract {

    private static final int PORT = 5701;

    private static GenericContainer<?> server;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        assumeTrue(isDockerHere(), "There is no Docker here");
        server = new GenericContainer<>(DockerImageName.parse("hazelcast/hazelcast:5.7.0"))
                .withEnv("HZ_CLUSTERNAME", TestInstances.CLUSTER)
                .withEnv("HZ_PHONE_HOME_ENABLED", "false")
                .withExposedPorts(PORT);
        server.start();
        client = HazelcastClient.newHazelcastClient(throughThePortOfTheContainer());
    }

    /** Looks for the socket first: Testcontainers loads native code to find out, and is warned of. */
    private static boolean isDockerHere() {
        return (System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock")))
                && DockerClientFactory.instance().isDockerAvailable();
    }

    /** The addresses that the member gives to its clients are those inside of the container. */
    private static ClientConfig throughThePortOfTheContainer() {
        ClientConfig config = TestInstances.clientConfig(List.of());
        config.getNetworkConfig().addAddress(server.getHost() + ":" + server.getMappedPort(PORT));
        config.getNetworkConfig().getClusterRoutingConfig().setRoutingMode(RoutingMode.SINGLE_MEMBER);
        return config;
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.shutdown();
        }
        if (server != null) {
            server.stop();
        }
    }

    @Override
    protected TestBackend createBackend() {
        return new HazelcastBackend(client);
    }
}
