// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.torture.wire.Wire.Way;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault does what it says, and ends when the wire heals. */
class WireTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    private final Link wire = new Link();
    private EchoServer server;
    private Proxy proxy;
    private EchoClient client;

    @BeforeEach
    void open() throws IOException {
        server = new EchoServer("one");
        proxy = new Proxy(server.port(), wire);
        client = new EchoClient(proxy.port());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    @Test
    void withoutAFaultNothingIsHeldUp() throws IOException {
        assertThat(timeOf(() -> {
            for (int i = 0; i < 1000; i++) {
                assertThat(client.ask("a")).isEqualTo("one a");
            }
        })).isLessThan(Duration.ofSeconds(10)); // With Nagle's algorithm, 40.
    }

    @Test
    void aReplyIsLostAfterTheServerHasGotTheRequest() throws IOException {
        client.open();
        wire.dropReplies(1);

        assertThatThrownBy(() -> client.ask("commit")).isInstanceOf(SocketException.class);

        assertThat(server.received()).last().isEqualTo("commit");
        assertThat(wire.droppedReplies()).isOne();
        try (EchoClient next = new EchoClient(proxy.port()).open()) {
            assertThat(next.ask("a")).isEqualTo("one a");
        }
    }

    @Test
    void eachOfSeveralLostRepliesCostsOneConnection() throws IOException {
        wire.dropReplies(2);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> new EchoClient(proxy.port()).open()).isInstanceOf(SocketException.class);
        }

        assertThat(client.open().ask("a")).isEqualTo("one a");
        assertThat(wire.droppedReplies()).isEqualTo(2);
    }

    @Test
    void aResetIsSeenAtOnce() throws IOException {
        client.ask("a");
        assertThat(wire.portsAtServer()).hasSize(1);

        wire.reset();

        assertThatThrownBy(client::answer).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        assertThat(wire.portsAtServer()).isEmpty();
    }

    @Test
    void aRefusedConnectionIsResetBeforeItCarriesAnything() throws IOException {
        client.ask("a");
        wire.refuse();

        assertThatThrownBy(() -> new EchoClient(proxy.port()).ask("b")).isInstanceOf(SocketException.class);

        assertThat(client.ask("c")).isEqualTo("one c");
        assertThat(server.received()).containsExactly("a", "c");
    }

    @Test
    void aDelayIsOnBothWays() throws IOException {
        Duration delay = Duration.ofMillis(300);
        wire.delay(delay, Duration.ZERO);
        assertThat(timeOf(() -> client.ask("a"))).isBetween(delay.multipliedBy(2), Duration.ofSeconds(10));

        wire.heal();
        assertThat(timeOf(() -> client.ask("a"))).isLessThan(delay.multipliedBy(2));
    }

    @Test
    void aThrottledWireTakesTimeForEachByte() throws IOException {
        wire.throttle(1000);
        assertThat(timeOf(() -> client.ask("a".repeat(150)))).isBetween(SHORT, Duration.ofSeconds(10));
    }

    @Test
    void aStalledRequestArrivesWhenTheWireHeals_alsoIfTheClientHasGone() throws IOException {
        client.timeout(SHORT);
        wire.stall();
        assertThatThrownBy(() -> client.ask("late")).isInstanceOf(SocketTimeoutException.class);
        client.close();
        assertThat(server.received()).isEmpty();

        wire.heal();

        await().untilAsserted(() -> assertThat(server.received()).containsExactly("late"));
    }

    @Test
    void aRequestInABlackholeNeverArrives() throws IOException {
        client.timeout(SHORT);
        wire.blackhole(Way.REQUESTS);
        assertThatThrownBy(() -> client.ask("lost")).isInstanceOf(SocketTimeoutException.class);
        client.timeout(Duration.ofSeconds(10));

        wire.heal();

        assertThatThrownBy(client::answer).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void aBlackholeForRepliesLetsRequestsThrough() throws IOException {
        client.timeout(SHORT);
        wire.blackhole(Way.REPLIES);

        assertThatThrownBy(() -> client.ask("a")).isInstanceOf(SocketTimeoutException.class);

        await().untilAsserted(() -> assertThat(server.received()).containsExactly("a"));
    }

    @Test
    void aProxyThatIsAimedAtAnotherServerCutsTheConnectionsToTheFirst() throws IOException {
        client.ask("a");
        try (EchoServer other = new EchoServer("other")) {
            proxy.aimAt(other.port());

            assertThatThrownBy(client::answer).isInstanceOf(SocketException.class);
            try (EchoClient next = new EchoClient(proxy.port())) {
                assertThat(next.ask("b")).isEqualTo("other b");
            }
        }
    }

    @Test
    void aServerThatIsDownResetsConnections() throws IOException {
        server.close();

        assertThatThrownBy(() -> new EchoClient(proxy.port()).ask("a")).isInstanceOf(SocketException.class);
    }

    /** Something that may fail. */
    private interface Action {

        void run() throws IOException;
    }

    private static Duration timeOf(Action action) throws IOException {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
