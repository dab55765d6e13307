// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Maps whose configuration lets locks get lost: a manager on a member warns of them when it is first used. */
@Needs(Backend.HAZELCAST)
class RiskyMapsTest {

    private static final List<HazelcastInstance> members = new ArrayList<>();

    @BeforeAll
    static void start() {
        List<Integer> ports =
                Stream.generate(MemberProcess::freePort).distinct().limit(2).toList();
        ports.forEach(port -> members.add(Hazelcast.newHazelcastInstance(config(port, ports))));
        TestInstances.awaitReady(members);
    }

    private static Config config(int port, List<Integer> ports) {
        Config config = TestInstances.memberConfig(port, ports);
        config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, 2));
        config.addSplitBrainProtectionConfig(
                new SplitBrainProtectionConfig("reads", true, 2).setProtectOn(SplitBrainProtectionOn.READ));
        config.getMapConfig("reservations-recommended").setSplitBrainProtectionName("majority");
        config.getMapConfig("reservations-fragile").setSplitBrainProtectionName("majority").setBackupCount(0);
        config.getMapConfig("reservations-reads").setSplitBrainProtectionName("reads");
        return config;
    }

    @AfterAll
    static void stop() {
        members.forEach(HazelcastInstance::shutdown);
    }

    @Test
    void whatIsRecommendedIsNotWarnedOf() {
        assertThat(warnings(members.getFirst(), "recommended")).isEmpty();
    }

    @Test
    void aMapWithoutBackupsIsWarnedOf_once() {
        assertThat(warnings(members.getFirst(), "fragile")).singleElement().asString().contains("has no backup-count");
    }

    @Test
    void aMapWithoutSplitBrainProtectionIsWarnedOf() {
        assertThat(warnings(members.getFirst(), "open")).singleElement().asString()
                .contains("no split-brain protection");
    }

    @Test
    void aProtectionThatLetsWritesPassIsNone() {
        assertThat(warnings(members.getFirst(), "reads")).singleElement().asString()
                .contains("no split-brain protection");
    }

    @Test
    void aMemberThatIsAloneIsNotWarned() {
        HazelcastInstance alone = TestInstances.member();
        try {
            assertThat(warnings(alone, "open")).isEmpty();
        } finally {
            alone.shutdown();
        }
    }

    private static List<String> warnings(HazelcastInstance member, String domain) {
        try (LoggedWarnings warnings = new LoggedWarnings();
                ReservationManager manager =
                        ReservationManager.hazelcast(member).domain(domain).build()) {
            assertThat(warnings.texts()).as("before it is used").isEmpty();
            manager.run("42", held -> {});
            manager.run("43", held -> {});
            return List.copyOf(warnings.texts());
        }
    }
}
