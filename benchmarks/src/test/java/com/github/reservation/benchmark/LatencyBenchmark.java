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

/** How long one call takes for a key that no other thread wants. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class LatencyBenchmark {

    /** A key that is free before each call, and held after it. */
    @State(Scope.Thread)
    public static class Free {

        private Reservation reservation;

        @Setup(Level.Trial)
        public void name(LockNode node) {
            reservation = node.manager.getReservation("free");
        }

        @TearDown(Level.Invocation)
        public void unlock() {
            reservation.unlock();
        }
    }

    /** A key that is held before each call, and free after it. */
    @State(Scope.Thread)
    public static class Held {

        private Reservation reservation;

        @Setup(Level.Trial)
        public void name(LockNode node) {
            reservation = node.manager.getReservation("held");
        }

        @Setup(Level.Invocation)
        public void lock() {
            reservation.lock();
        }
    }

    @Benchmark
    public void lock(Free free) {
        free.reservation.lock();
    }

    @Benchmark
    public boolean tryLock(Free free) {
        return free.reservation.tryLock();
    }

    @Benchmark
    public void unlock(Held held) {
        held.reservation.unlock();
    }

    @Benchmark
    public boolean isLocked(LockNode node) {
        return node.taken.isLocked();
    }
}
