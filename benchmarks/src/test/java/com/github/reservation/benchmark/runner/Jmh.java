// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs the JMH benchmarks one by one, each in a JVM of its own, and all of a backend on one server. */
final class Jmh {

    /** The four calls whose latencies matter most. */
    static final List<String> LATENCIES = List.of("lock", "tryLock", "unlock", "isLocked");

    private static final List<String> ON_HAZELCAST_TOO = List.of("memory", "h2", "postgresql", "mariadb", "hazelcast");
    private static final List<String> CLAIMS = List.of("memory", "h2", "postgresql", "mariadb");
    private static final List<String> SWEEP = List.of("h2", "postgresql", "mariadb");

    /** One benchmark, with so many threads. */
    private record Run(String title, String benchmark, int threads, boolean virtual, List<String> backends) {}

    private static final List<Run> MOST_IMPORTANT = List.of(
            new Run("lock and unlock, the same key", "ReservationBenchmark.lockAndUnlockTheSameKey", 1, false,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, 16 threads", "ReservationBenchmark.lockAndUnlockTheSameKey", 16, false,
                    ON_HAZELCAST_TOO));

    private static final List<Run> OTHERS = List.of(
            new Run("lock and unlock, one virtual thread", "ReservationBenchmark.lockAndUnlockTheSameKey", 1, true,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, 16 virtual threads", "ReservationBenchmark.lockAndUnlockTheSameKey", 16, true,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, new keys", "ReservationBenchmark.lockAndUnlockNewKeys", 1, false,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, new keys, 16 threads", "ReservationBenchmark.lockAndUnlockNewKeys", 16, false,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, new keys, one virtual thread", "ReservationBenchmark.lockAndUnlockNewKeys", 1,
                    true,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock, new keys, 16 virtual threads", "ReservationBenchmark.lockAndUnlockNewKeys", 16,
                    true,
                    ON_HAZELCAST_TOO),
            new Run("lock and unlock what the thread holds", "ReservationBenchmark.lockAndUnlockAgain", 1, false,
                    ON_HAZELCAST_TOO),
            new Run("tryLock that is refused", "ReservationBenchmark.tryLockThatIsRefused", 1, false, ON_HAZELCAST_TOO),
            new Run("isLocked of a held key", "ReservationBenchmark.isLocked", 1, false, ON_HAZELCAST_TOO),
            new Run("renew", "ReservationBenchmark.renew", 1, false, ON_HAZELCAST_TOO),
            new Run("renew a lease, 100 in one call", "LeaseBenchmark.renewOneHundredLeases", 1, false,
                    ON_HAZELCAST_TOO),
            new Run("claim: reserve and confirm", "ClaimBenchmark.reserveAndConfirm", 1, false, CLAIMS),
            new Run("claim: conflict", "ClaimBenchmark.conflict", 1, false, CLAIMS),
            new Run("expire a claim, 500 in one call", "SweepBenchmark.expireFiveHundredClaims", 1, false, SWEEP));

    private final Plan plan;
    private final Results results;
    private final Progress progress;

    Jmh(Plan plan, Results results, Progress progress) {
        this.plan = plan;
        this.results = results;
        this.progress = progress;
    }

    /** Tells how often {@link #run()} tells the progress. */
    static int steps(Plan plan) {
        return plan.backends().stream().mapToInt(backend -> runs(plan, backend).size()).sum();
    }

    /** Runs all, also after a failure, and throws at the end if there was one: such a page is not complete. */
    void run() throws Exception {
        List<RunnerException> failures = new ArrayList<>();
        for (String backend : plan.backends()) {
            try (AutoCloseable server = start(backend).orElse(null)) {
                for (Run run : runs(plan, backend)) {
                    progress.next("JMH, " + backend + ": " + run.title());
                    try {
                        results.jmh().add(measure(run, backend, server));
                    } catch (RunnerException e) {
                        System.out.println("Failed, and left out: " + e);
                        failures.add(e);
                    }
                }
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }

    private static Optional<DatabaseServer> start(String backend) {
        return switch (backend) {
            case "postgresql" -> Optional.of(PostgresServer.start());
            case "mariadb" -> Optional.of(MariaDbServer.start());
            default -> Optional.empty();
        };
    }

    private static List<Run> runs(Plan plan, String backend) {
        List<Run> runs = new ArrayList<>();
        LATENCIES.forEach(call -> runs.add(new Run(call, "LatencyBenchmark." + call, 1, false, ON_HAZELCAST_TOO)));
        runs.addAll(MOST_IMPORTANT);
        if (plan.everyOperation()) {
            runs.addAll(OTHERS);
        }
        return runs.stream().filter(run -> run.backends().contains(backend)).toList();
    }

    private static JmhResult measure(Run run, String backend, AutoCloseable server) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + run.benchmark().replace(".", "\\.") + "$")
                .param("backend", backend)
                .threads(run.threads())
                .warmupIterations(server == null ? 4 : 2) // Without a server, the JVM has the store to compile too.
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        List<String> jvm = new ArrayList<>(List.of("-Xmx1g"));
        if (run.virtual()) {
            jvm.add("-Djmh.executor=VIRTUAL");
        }
        if (server instanceof DatabaseServer database) {
            jvm.add("-D" + backend + ".url=" + database.url());
            jvm.add("-D" + backend + ".user=" + database.user());
        }
        RunResult result = new Runner(options.jvmArgsAppend(jvm.toArray(String[]::new)).build()).runSingle();
        return result(run, backend, result);
    }

    private static JmhResult result(Run run, String backend, RunResult result) {
        Statistics statistics = result.getPrimaryResult().getStatistics();
        boolean latency = result.getParams().getMode() == Mode.SampleTime;
        return new JmhResult(
                run.title(), backend,
                new Spread(statistics.getPercentile(50), statistics.getMin(), statistics.getMax()),
                latency ? statistics.getPercentile(99) : Double.NaN,
                allocation(result));
    }

    private static double allocation(RunResult result) {
        return result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
                .mapToDouble(entry -> entry.getValue().getScore())
                .findFirst()
                .orElse(Double.NaN);
    }
}
