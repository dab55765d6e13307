// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.claim.Claims;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How many overdue claims a node can mark as expired in a second, 500 in one call. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class SweepBenchmark {

    private static final int BATCH = 500;

    /** A store where so many claims are overdue before each call. */
    @State(Scope.Benchmark)
    public static class Store {

        @Param({"h2", "postgresql", "mariadb"})
        public String backend;

        private OpenStore opened;
        private Claims claims;

        @Setup(Level.Trial)
        public void open() {
            opened = OpenStore.of(backend);
            claims = opened.newClaims();
            for (int i = 0; i < BATCH; i++) {
                claims.reserve("email", "value-" + i, Duration.ofHours(1));
            }
        }

        @Setup(Level.Invocation)
        public void makeThemOverdue() {
            opened.execute("UPDATE RESERVATION_CLAIMS SET status = 'reserved',"
                    + " expires_at = TIMESTAMP '2026-01-01 00:00:00'");
        }

        @TearDown(Level.Trial)
        public void close() throws Exception {
            claims.close();
            opened.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void expireFiveHundredClaims(Store store) {
        if (store.claims.expireReservations(BATCH) != BATCH) {
            throw new IllegalStateException("Not all claims were expired");
        }
    }
}
