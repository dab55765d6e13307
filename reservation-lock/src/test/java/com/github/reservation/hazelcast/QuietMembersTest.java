// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member logs each unlock in vain as SEVERE, with a stack trace: whoever operates the cluster must not see any of ours. */
@SideBySide
@Needs(Backend.HAZELCAST)
class QuietMembersTest {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Logger HAZELCAST = Logger.getLogger("com.hazelcast");

    /** How long the library goes on looking for what was granted late, and some more. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(7);

    private final List<String> severe = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.SEVERE.intValue()) {
                severe.add(logged.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private HazelcastInstance member;
    private TcpProxy proxy;
    private HazelcastInstance client;

    @BeforeEach
    void start() {
        HAZELCAST.addHandler(handler);
        int port = MemberProcess.freePort();
        Config config = TestInstances.memberConfig(port, List.of(port));
        config.setProperty("hazelcast.logging.type", "jdk");
        config.setProperty("hazelcast.client.cleanup.period.millis", "500");
        member = Hazelcast.newHazelcastInstance(config);
        proxy = new TcpProxy(port);
        ClientConfig clientConfig = TestInstances.clientConfig(List.of(proxy.port()));
        clientConfig.setProperty("hazelcast.logging.type", "jdk");
        clientConfig.getNetworkConfig().setSmartRouting(false);
        client = HazelcastClient.newHazelcastClient(clientConfig);
    }

    @AfterEach
    void stop() {
        client.shutdown();
        proxy.close();
        member.shutdown();
        HAZELCAST.removeHandler(handler);
    }

    /** Nodes take turns on one key, some for long and some for a moment, and are interrupted while they wait. */
    @Test
    void anInterruptStormLeavesNoSevereLine() throws Exception {
        List<ReservationManager> nodes =
                Stream.of(client, member, client, member, client, member).map(QuietMembersTest::manager).toList();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger interrupted = new AtomicInteger();
        List<Thread> threads = nodes.stream().map(node -> Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                if (!takesATurn(node.getReservation("42"))) {
                    interrupted.incrementAndGet();
                }
            }
        })).toList();
        while (interrupted.get() < 100) {
            threads.get(ThreadLocalRandom.current().nextInt(threads.size())).interrupt();
            TimeUnit.MILLISECONDS.sleep(5);
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        nothingSevereIsLogged();
        assertThat(nodes.getFirst().getReservation("42").tryLock()).as("no ghost is left").isTrue();
        nodes.getFirst().getReservation("42").unlock();
        nodes.forEach(ReservationManager::close);
    }

    @Test
    void aCutOffLeavesNoSevereLine() throws Exception {
        List<LostReservation> lost = new CopyOnWriteArrayList<>();
        try (ReservationManager manager = manager(client)) {
            manager.onLost(lost::add);
            for (int i = 0; i < 20; i++) {
                manager.getReservation("held-" + i).lock();
            }

            proxy.cut(from -> true);
            Awaitility.await().until(() -> lost.size() == 20);
            Awaitility.await().until(() -> !member.getMap("reservations-orders").isLocked("held-0"));
            proxy.mend();

            assertThat(manager.getReservation("back").tryLock(30, TimeUnit.SECONDS)).isTrue();
            manager.getReservation("back").unlock();
            nothingSevereIsLogged();
        }
    }

    private static boolean takesATurn(Reservation reservation) {
        try {
            if (reservation.tryLock(1, TimeUnit.SECONDS)) {
                try {
                    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(20));
                } finally {
                    reservation.unlock();
                }
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void nothingSevereIsLogged() {
        Awaitility.await().during(AFTERWARDS).atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(severe).isEmpty());
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("orders").leaseTime(LEASE).build();
    }
}
