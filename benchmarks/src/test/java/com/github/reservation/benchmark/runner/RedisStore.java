// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import static com.github.reservation.benchmark.runner.Contender.all;

import com.github.reservation.hazelcast.MemberProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.embedded.RedisServer;

/** A Redis server on loopback that writes nothing to the disk. This library does not run there; its peers do. */
final class RedisStore implements Store {

    private final int port = MemberProcess.freePort();
    private final RedisServer server;
    private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);

    RedisStore() throws IOException {
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .build();
        server.start();
    }

    @Override
    public String name() {
        return "Redis";
    }

    @Override
    public String version() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().info("server").replaceAll("(?s).*redis_version:([0-9.]+).*", "$1");
        }
    }

    @Override
    public List<Contender> contenders() {
        Set<Measure> measures = all(Measure.UNCONTENDED, Measure.CONTENDED, Set.of(Measure.TAKE_OVER));
        return List.of(
                Contender.of("Redisson RLock", "its defaults: a lease of 30 s that its watchdog renews", measures,
                        connections -> redisson()),
                Contender.of(SpringIntegration.REDIS, SpringIntegration.REDIS_SETUP,
                        all(Measure.UNCONTENDED, Measure.CONTENDED),
                        connections -> SpringIntegration.onRedis(port, Duration.ofMinutes(1))),
                // A node that waits looks again when a lease of its own length is over.
                Contender.of(SpringIntegration.REDIS, SpringIntegration.REDIS_SETUP, Set.of(Measure.TAKE_OVER),
                        connections -> SpringIntegration.onRedis(port, SideBySide.LEASE)),
                Contender.limit("SET NX PX, DEL", "by hand, with Lettuce", Measure.UNCONTENDED,
                        connections -> setAndDelete()),
                Contender.limit("BLPOP, LPUSH",
                        "by hand, with Lettuce: a token in a list, and a connection for each thread"
                                + " that waits",
                        Measure.CONTENDED, this::token));
    }

    private Node redisson() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        RedissonClient redisson = Redisson.create(config);
        return new Node(
                key -> Key.of(redisson.getLock(key)),
                (key, lease) -> redisson.getLock(key).lock(lease.toMillis(), TimeUnit.MILLISECONDS),
                List.of(redisson::shutdown));
    }

    private Node setAndDelete() {
        StatefulRedisConnection<String, String> connection = client.connect();
        RedisCommands<String, String> commands = connection.sync();
        return Node.withoutLeases(key -> new Key() {
            @Override
            public void lock() {
                if (commands.set(key, "holder", SetArgs.Builder.nx().px(Duration.ofMinutes(1))) == null) {
                    throw new IllegalStateException("Not free: " + key);
                }
            }

            @Override
            public void unlock() {
                commands.del(key);
            }
        }, connection);
    }

    private Node token(int connections) {
        BlockingQueue<StatefulRedisConnection<String, String>> blocking = new ArrayBlockingQueue<>(connections);
        for (int i = 0; i < connections; i++) {
            blocking.add(client.connect());
        }
        StatefulRedisConnection<String, String> connection = client.connect();
        RedisCommands<String, String> commands = connection.sync();
        return Node.withoutLeases(key -> {
            if (commands.setnx("made:" + key, "yes")) {
                commands.lpush("token:" + key, "token");
            }
            return new Key() {
                @Override
                public void lock() throws InterruptedException {
                    StatefulRedisConnection<String, String> mine = blocking.take();
                    mine.sync().blpop(0, "token:" + key);
                    blocking.add(mine);
                }

                @Override
                public void unlock() {
                    commands.lpush("token:" + key, "token");
                }
            };
        }, connection, () -> blocking.forEach(StatefulRedisConnection::close));
    }

    @Override
    public void startOver() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().flushall();
        }
    }

    @Override
    public void close() throws IOException {
        client.shutdown();
        server.stop();
    }
}
