// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.MemberProcess;
import com.github.reservation.hazelcast.TestInstances;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the page on Hazelcast, on a cluster of one member. */
@Needs(Backend.HAZELCAST)
class HazelcastExamplesTest {

    private HazelcastInstance member;
    private String[] addresses;

    @BeforeEach
    void startMember() {
        int port = MemberProcess.freePort();
        member = Hazelcast.newHazelcastInstance(
                TestInstances.memberConfig(port, List.of(port)).setClusterName("my-cluster"));
        addresses = new String[]{"127.0.0.1:" + port, "127.0.0.1:" + MemberProcess.freePort()};
    }

    @AfterEach
    void stopMember() {
        member.shutdown();
    }

    @Test
    void oneClientServesTwoDomains() {
        // @start region="hazelcast"
        ClientConfig config = new ClientConfig();
        config.setClusterName("my-cluster");
        config.getNetworkConfig().addAddress(addresses); // such as hazelcast-1:5701 and hazelcast-2:5701
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(30_000);
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);

        ReservationManager orders =
                ReservationManager.hazelcast(client).domain("orders").leaseTime(Duration.ofMinutes(2)).build();
        ReservationManager users =
                ReservationManager.hazelcast(client).domain("users").leaseTime(Duration.ofMinutes(5)).build();
        // @end

        // @start region="hazelcast-domains"
        orders.getReservation("42").lock(); // key 42 of the map reservations-orders
        users.getReservation("42").lock(); // key 42 of the map reservations-users
        // @end

        assertThat(member.<String, String>getMap("reservations-orders").get("42")).startsWith("holder=");
        assertThat(member.<String, String>getMap("reservations-users").get("42")).startsWith("holder=");
        orders.close();
        users.close();
        client.shutdown();
    }
}
