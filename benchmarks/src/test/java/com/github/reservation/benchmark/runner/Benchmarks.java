// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import java.nio.file.Path;

/**
 * Measures the library side by side with its peers, then each backend with JMH, and writes a page with the results.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@benchmarks}, about 20 minutes on two cores. {@code -Dplan=subset} takes 3
 * minutes; {@code -Dplan=mariadb,crowd} measures what it names. What is not everything is written to {@code target}.
 */
public final class Benchmarks {

    private Benchmarks() {}

    /** Takes the name of the plan, the directory for the results of everything, and the one for a part. */
    public static void main(String[] args) {
        int status = 0;
        try {
            run(args);
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status); // Threads of the peers may still run.
    }

    private static void run(String[] args) throws Exception {
        Plan plan = Plan.of(args[0]);
        Machine machine = Machine.here();
        System.out.println(machine);
        Results results = new Results();
        Progress progress = new Progress(steps(plan));
        boolean complete = false;
        try {
            measure(plan, results, progress);
            complete = true;
        } finally {
            Path page = Path.of(complete && args[0].equals("all") ? args[1] : args[2]);
            new Page(results, page).write(args[0], plan, machine, progress.clock());
            System.out.println("Written to " + page.resolve("README.md"));
        }
    }

    private static int steps(Plan plan) {
        return (plan.measures().isEmpty() ? 0 : plan.stores().size() * SideBySide.STEPS)
                + (sweeps(plan) ? plan.rounds() + 1 : 0)
                + Jmh.steps(plan);
    }

    private static boolean sweeps(Plan plan) {
        return plan.measures().contains(Measure.SWEEP) && plan.stores().contains("postgresql");
    }

    private static void measure(Plan plan, Results results, Progress progress) throws Exception {
        if (!plan.measures().isEmpty()) {
            for (String name : plan.stores()) {
                try (Store store = open(name)) {
                    results.versions().put(store.name(), store.version());
                    new SideBySide(store, plan, results, progress).run();
                }
            }
        }
        if (sweeps(plan)) {
            new Sweeps(plan, results).run(progress);
        }
        new Jmh(plan, results, progress).run();
    }

    private static Store open(String name) throws Exception {
        return switch (name) {
            case "postgresql" -> SqlStore.postgreSql(PostgresServer.start());
            case "mariadb" -> SqlStore.mariaDb(MariaDbServer.start());
            case "h2" -> SqlStore.h2();
            case "hazelcast" -> new HazelcastStore();
            case "redis" -> new RedisStore();
            default -> throw new IllegalArgumentException("No such store: " + name);
        };
    }
}
