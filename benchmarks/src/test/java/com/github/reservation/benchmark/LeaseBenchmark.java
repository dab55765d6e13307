// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How many leases a node can renew in a second, a hundred in one call. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class LeaseBenchmark {

    private static final int BATCH = 100;
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** Leases of one execution. */
    @State(Scope.Benchmark)
    public static class Batch {

        private LockProvider provider;
        private final List<LockLease> leases = new ArrayList<>();

        @Setup(Level.Trial)
        public void acquire(LockNode node) {
            provider = node.manager.lockProvider();
            for (int i = 0; i < BATCH; i++) {
                leases.add(Objects.requireNonNull(provider.acquireLock("batch-" + i, "execution", LEASE)));
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void renewOneHundredLeases(Batch batch) {
        if (batch.provider.renew(batch.leases, LEASE).size() != BATCH) {
            throw new IllegalStateException("Not all leases were renewed");
        }
    }
}
