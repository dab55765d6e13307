// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.MySqlServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.lease.HeldLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A server that is killed and started again, or stands still for a while. */
@SideBySide
class ServerCrashTest {

    @Nested
    @Needs(value = Backend.POSTGRESQL, ownServer = true)
    class OfPostgreSql extends Crash {

        @Override
        DatabaseServer start() {
            return PostgresServer.start();
        }

        @Override
        String ddl() {
            return "postgresql";
        }

        @Override
        String urlParameters() {
            return "?connectTimeout=1&cancelSignalTimeout=1&socketTimeout=" + SOCKET_TIMEOUT.toSeconds();
        }
    }

    @Nested
    @Needs(value = Backend.MARIADB, ownServer = true)
    class OfMariaDb extends Crash {

        @Override
        DatabaseServer start() {
            return MariaDbServer.start();
        }

        @Override
        String ddl() {
            return "mariadb";
        }

        @Override
        String urlParameters() {
            return "?connectTimeout=1000&socketTimeout=" + SOCKET_TIMEOUT.toMillis();
        }
    }

    @Nested
    @Needs(value = Backend.MYSQL, ownServer = true)
    class OfMySql extends Crash {

        @Override
        DatabaseServer start() {
            return MySqlServer.start();
        }

        @Override
        String ddl() {
            return "mysql";
        }

        @Override
        String urlParameters() {
            return "?connectTimeout=1000&socketTimeout=" + SOCKET_TIMEOUT.toMillis();
        }
    }

    abstract static class Crash extends OnCrashingServer {

        @Test
        void aHeldLockSurvivesTheCrash() {
            Reservation ours = manager.getReservation("42");
            Reservation theirs = otherNode.getReservation("42");
            ours.lock();
            assertRefused(theirs);
            long fence = ours.fencingToken().orElseThrow();

            server.kill();
            assertThat(theirs.tryLock()).as("while the server is down").isFalse();
            assertThat(ours.isHeldByCurrentThread()).isTrue();
            restart();

            assertRefused(theirs);
            assertThat(ours.renew()).isTrue();
            ours.unlock();
            assertThat(theirs.tryLock()).isTrue();
            assertThat(theirs.fencingToken().orElseThrow()).isGreaterThan(fence);
            theirs.unlock();
        }

        @Test
        void whoWaitsDuringTheCrashGetsTheLockWhenItIsFree() throws Exception {
            Reservation unlocked = manager.getReservation("unlocked");
            Reservation left = manager.getReservation("left");
            Actor one = actor("waits for an unlock");
            Actor other = actor("waits for the end of a lease");
            Duration lease = Duration.ofSeconds(6);
            unlocked.lock();
            long asked = System.nanoTime();
            left.tryLock(Duration.ZERO, lease);
            Future<?> first = one.startsAndWaits(() -> otherNode.getReservation("unlocked").lock());
            Future<Long> second = other.startsAndWaits(() -> {
                otherNode.getReservation("left").lock();
                return System.nanoTime();
            });

            restart();
            Duration outage = Duration.ofNanos(System.nanoTime() - asked);

            assertThat(first).isNotDone();
            unlocked.unlock();
            Actor.result(first);
            one.does(() -> otherNode.getReservation("unlocked").unlock());
            Duration waited = Duration.ofNanos(Actor.result(second) - asked);
            Duration possible = outage.compareTo(lease) < 0 ? lease : outage;
            assertThat(waited).isBetween(lease, possible.plusSeconds(10));
            other.does(() -> otherNode.getReservation("left").unlock());
        }

        @Test
        void aHolderWhoseLeaseEndsDuringTheOutageIsTold() {
            ReservationManager shortLived = node(Duration.ofSeconds(5));
            Map<String, LossReason> losses = new ConcurrentHashMap<>();
            shortLived.onLost((LostReservation lost) -> losses.put(lost.identifier(), lost.reason()));
            Reservation renewed = shortLived.getReservation("renewed");
            Reservation forgotten = shortLived.getReservation("forgotten");
            renewed.lock();
            forgotten.lock();

            server.kill();
            assertThatThrownBy(renewed::renew).isInstanceOf(ReservationException.class);
            assertThat(losses).isEmpty();

            await().pollInSameThread().atMost(Duration.ofSeconds(30)).until(() -> losses.size() == 2);
            assertThat(losses)
                    .containsEntry("renewed", LossReason.STORE_UNREACHABLE)
                    .containsEntry("forgotten", LossReason.EXPIRED);
            assertThat(renewed.isHeldByCurrentThread()).isFalse();
            restart();
            assertThat(otherNode.getReservation("renewed").tryLock()).isTrue();
            otherNode.getReservation("renewed").unlock();
        }

        @Test
        void locksThatAreRenewedSurviveAnOutageThatIsShorterThanTheirLeases() throws Exception {
            ReservationManager renewing = node(Duration.ofSeconds(15));
            List<LostReservation> losses = new CopyOnWriteArrayList<>();
            renewing.onLost(losses::add);
            List<HeldLock> locks = acquireMany(renewing);
            long firstEnd = locks.getLast().lease().expiresAt();

            server.kill();
            restart();

            await().atMost(Duration.ofSeconds(30)).until(() -> locks.stream()
                    .allMatch(lock -> lock.lease().expiresAt() > firstEnd + 1_000));
            assertThat(losses).isEmpty();
            locks.forEach(HeldLock::close);
        }

        @Test
        void locksThatAreRenewedAreLostOnceInAnOutageThatIsLongerThanTheirLeases() throws Exception {
            ReservationManager renewing = node(Duration.ofSeconds(3));
            List<LostReservation> losses = new CopyOnWriteArrayList<>();
            renewing.onLost(losses::add);
            List<HeldLock> locks = acquireMany(renewing);

            server.kill();
            await().atMost(Duration.ofSeconds(10)).until(() -> locks.stream().noneMatch(HeldLock::isHeld));
            restart();

            assertThat(otherNode.tryRun("many-0", lock -> {}).isExecuted()).isTrue();
            await().until(() -> losses.size() >= locks.size());
            assertThat(losses)
                    .extracting(LostReservation::identifier)
                    .doesNotHaveDuplicates()
                    .hasSize(locks.size());
            assertThat(losses).extracting(LostReservation::reason).containsOnly(LossReason.STORE_UNREACHABLE);
        }

        private static List<HeldLock> acquireMany(ReservationManager node) throws InterruptedException {
            List<HeldLock> locks = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                locks.add(node.acquire("many-" + i));
            }
            return locks;
        }

        @Test
        void anUnlockDuringTheOutageIsMadeUpForAfterwards() {
            Reservation ours = manager.getReservation("42");
            Reservation theirs = otherNode.getReservation("42");
            ours.lock();

            server.kill();
            assertThatThrownBy(ours::unlock).isInstanceOf(ReservationException.class);
            assertThat(ours.isHeldByCurrentThread()).isFalse();
            restart();

            await().pollInSameThread().atMost(Duration.ofSeconds(30)).until(theirs::tryLock);
            theirs.unlock();
        }

        @Test
        void aFrozenServerHoldsNobodyLongerThanItsTimeouts() throws Exception {
            Reservation ours = manager.getReservation("42");
            Reservation another = manager.getReservation("43");
            Actor actor = actor("wants another key");
            ours.lock();
            actor.does(() -> {
                another.lock();
                another.unlock();
            });

            server.freeze();
            long frozen = System.nanoTime();
            CompletableFuture<Void> thawing = CompletableFuture.runAsync(
                    server::thaw, CompletableFuture.delayedExecutor(15, TimeUnit.SECONDS, Thread::startVirtualThread));
            Future<Duration> tried = actor.starts(() -> {
                assertThat(another.tryLock(1, TimeUnit.SECONDS)).isFalse();
                return Duration.ofNanos(System.nanoTime() - frozen);
            });
            assertThatThrownBy(ours::renew).isInstanceOf(ReservationException.class);
            Duration renewing = Duration.ofNanos(System.nanoTime() - frozen);

            assertThat(renewing).isLessThan(Duration.ofSeconds(12));
            assertThat(Actor.result(tried)).isLessThan(Duration.ofSeconds(12));
            assertThat(ours.isHeldByCurrentThread()).isTrue();
            thawing.cancel(false);
            server.thaw();

            await().pollInSameThread().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(ours::renew);
            assertRefused(otherNode.getReservation("42"));
            ours.unlock();
            await().pollInSameThread().atMost(Duration.ofSeconds(30))
                    .until(() -> otherNode.getReservation("43").tryLock());
            otherNode.getReservation("43").unlock();
            otherNode.getReservation("42").lock();
            otherNode.getReservation("42").unlock();
        }
    }
}
