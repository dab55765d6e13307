// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How many values can be claimed in a second. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class ClaimBenchmark {

    private static final Duration TTL = Duration.ofHours(1);

    /** A store where one value is taken. */
    @State(Scope.Benchmark)
    public static class Store {

        @Param({"memory", "h2", "postgresql", "mariadb"})
        public String backend;

        private OpenStore opened;
        private Claims claims;

        @Setup(Level.Trial)
        public void open() {
            opened = OpenStore.of(backend);
            claims = opened.newClaims();
            claims.reserve("email", "taken", TTL);
        }

        @TearDown(Level.Trial)
        public void close() throws Exception {
            claims.close();
            opened.close();
        }
    }

    @Benchmark
    public ConfirmResult.Success reserveAndConfirm(Store store) {
        String value = UUID.randomUUID().toString();
        ReserveResult.Success reserved = (ReserveResult.Success) store.claims.reserve("email", value, TTL);
        return (ConfirmResult.Success) store.claims.confirm(reserved.reservationId(), reserved.token(), value);
    }

    @Benchmark
    public ReserveResult.Conflict conflict(Store store) {
        return (ReserveResult.Conflict) store.claims.reserve("email", "taken", TTL);
    }
}
