// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import com.github.reservation.torture.wire.Wire;
import com.github.reservation.torture.wire.Wire.Way;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** What can happen to a worker and to its wire, whatever the store is. */
public final class WorkerFaults {

    private final Workers workers;
    private final IntFunction<Wire> wires;

    public WorkerFaults(Workers workers, IntFunction<Wire> wires) {
        this.workers = workers;
        this.wires = wires;
    }

    public List<FaultKind> all() {
        return List.of(
                new FaultKind("kill", 4, this::kill),
                new FaultKind("pause", 4, this::pause),
                new FaultKind("delay", 2, this::delay),
                new FaultKind("stall", 2, this::stall),
                new FaultKind("blackhole", 2, this::blackhole),
                new FaultKind("throttle", 1, this::throttle),
                new FaultKind("reset", 2, this::reset),
                new FaultKind("drop-reply", 4, this::dropReply));
    }

    /** For workers with a pool of connections. */
    public FaultKind poolExhausted() {
        return new FaultKind("pool-exhausted", 2, random -> {
            int worker = any(random);
            Duration length = between(random, 300, 4000);
            return Fault.of(name(worker), length, () -> workers.order(worker, "exhaust"),
                    () -> workers.order(worker, "give-back"));
        });
    }

    private Fault kill(RandomGenerator random) {
        int worker = any(random);
        return Fault.of(name(worker), between(random, 0, 3000),
                () -> workers.kill(worker), () -> workers.restart(worker));
    }

    private Fault pause(RandomGenerator random) {
        int worker = any(random);
        return Fault.of(name(worker), between(random, 500, 5000),
                () -> workers.freeze(worker), () -> workers.thaw(worker));
    }

    private Fault delay(RandomGenerator random) {
        int worker = any(random);
        Duration time = between(random, 5, 300);
        Duration jitter = between(random, 0, 300);
        return onWire(worker, between(random, 1000, 6000), wire -> wire.delay(time, jitter))
                .saying("time", time.toMillis()).saying("jitter", jitter.toMillis());
    }

    private Fault stall(RandomGenerator random) {
        return onWire(any(random), between(random, 300, 5000), Wire::stall);
    }

    private Fault blackhole(RandomGenerator random) {
        Way[] ways = switch (random.nextInt(3)) {
            case 0 -> new Way[]{Way.REQUESTS};
            case 1 -> new Way[]{Way.REPLIES};
            default -> Way.values();
        };
        return onWire(any(random), between(random, 500, 5000), wire -> wire.blackhole(ways))
                .saying("ways", List.of(ways));
    }

    private Fault throttle(RandomGenerator random) {
        int bytesPerSecond = random.nextInt(500, 20_000);
        return onWire(any(random), between(random, 1000, 5000), wire -> wire.throttle(bytesPerSecond))
                .saying("bytesPerSecond", bytesPerSecond);
    }

    private Fault reset(RandomGenerator random) {
        boolean refusing = random.nextBoolean();
        Duration length = refusing ? between(random, 100, 3000) : Duration.ZERO;
        return onWire(any(random), length, wire -> {
            if (refusing) {
                wire.refuse();
            }
            wire.reset();
        }).saying("refusing", refusing);
    }

    private Fault dropReply(RandomGenerator random) {
        int count = random.nextInt(1, 6);
        return onWire(any(random), between(random, 500, 3000), wire -> wire.dropReplies(count)).saying("count", count);
    }

    /** Something that is done to a wire. */
    @FunctionalInterface
    private interface Cut {

        void on(Wire wire);
    }

    private Fault onWire(int worker, Duration length, Cut cut) {
        return Fault.of(name(worker), length, () -> cut.on(wires.apply(worker)), () -> wires.apply(worker).heal());
    }

    private int any(RandomGenerator random) {
        return random.nextInt(workers.size());
    }

    private String name(int worker) {
        return workers.name(worker);
    }
}
