// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.Reservation;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/** How often a node can lock, and ask about locks, in a second. Threads do not want one another's keys. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class ReservationBenchmark {

    /** The keys of one thread. */
    @State(Scope.Thread)
    public static class Keys {

        private Reservation same;
        private String prefix;
        private long number;

        @Setup(Level.Trial)
        public void name(LockNode node, ThreadParams threads) {
            same = node.manager.getReservation("same-" + threads.getThreadIndex());
            prefix = "new-" + threads.getThreadIndex() + "-";
        }

        String next() {
            return prefix + number++;
        }
    }

    /** A key that the measuring thread holds. */
    @State(Scope.Thread)
    public static class Held {

        private Reservation reservation;

        @Setup(Level.Iteration)
        public void lock(LockNode node, ThreadParams threads) {
            reservation = node.manager.getReservation("held-" + threads.getThreadIndex());
            reservation.lock();
        }

        @TearDown(Level.Iteration)
        public void unlock() {
            reservation.unlock();
        }
    }

    @Benchmark
    public void lockAndUnlockTheSameKey(Keys keys) {
        keys.same.lock();
        keys.same.unlock();
    }

    @Benchmark
    public void lockAndUnlockNewKeys(LockNode node, Keys keys) {
        Reservation reservation = node.manager.getReservation(keys.next());
        reservation.lock();
        reservation.unlock();
    }

    @Benchmark
    public void lockAndUnlockAgain(Held held) {
        held.reservation.lock();
        held.reservation.unlock();
    }

    @Benchmark
    public boolean renew(Held held) {
        return held.reservation.renew();
    }

    @Benchmark
    public boolean tryLockThatIsRefused(LockNode node) {
        return node.taken.tryLock();
    }

    @Benchmark
    public boolean isLocked(LockNode node) {
        return node.taken.isLocked();
    }
}
