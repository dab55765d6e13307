// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.expiration.DbSchedulerSweep;
import com.github.reservation.expiration.Sweep;
import com.github.reservation.jdbc.server.PostgresServer;

/** Expires overdue orders on PostgreSQL in turns: with this library, with db-scheduler, and by hand. */
final class Sweeps {

    private static final int ROWS = 200_000;
    /** A task for each order takes its time. */
    private static final int ROWS_OF_DB_SCHEDULER = 10_000;
    private static final String STORE = "PostgreSQL";
    private static final String DB_SCHEDULER = "db-scheduler";

    private final Plan plan;
    private final Results results;

    Sweeps(Plan plan, Results results) {
        this.plan = plan;
        this.results = results;
    }

    /** One way to expire the orders. */
    @FunctionalInterface
    private interface Way {
        void run() throws Exception;
    }

    void run(Progress progress) throws Exception {
        try (PostgresServer server = PostgresServer.start(); Sweep sweep = new Sweep(server.newDatabase())) {
            DbSchedulerSweep tasks = new DbSchedulerSweep(sweep);
            Figures figures = results.of(Measure.SWEEP, STORE);
            for (int round = 0; round <= plan.rounds(); round++) {
                progress.next("PostgreSQL: sweep of overdue rows, round " + round + " of " + plan.rounds());
                sweep.fill(ROWS);
                double ours = rate(ROWS, sweep::inBatches);
                sweep.fill(ROWS);
                double byHand = rate(ROWS, sweep::byHand);
                sweep.fill(ROWS_OF_DB_SCHEDULER);
                tasks.schedule();
                double theirs = ROWS_OF_DB_SCHEDULER * 1e9 / tasks.run(ROWS_OF_DB_SCHEDULER);
                if (round > 0) { // Until then the JVM compiles.
                    figures.add(Contender.OURS, ours);
                    figures.add(DB_SCHEDULER, theirs);
                    figures.addLimit("one statement by hand", byHand);
                }
            }
        }
        participant(Contender.OURS, "TableExpirationSource with expireBatch, batches of 500, " + ROWS + " rows");
        participant(DB_SCHEDULER, DbSchedulerSweep.SETUP + ", " + ROWS_OF_DB_SCHEDULER + " rows");
        participant("one statement by hand", "status and stock of 500 orders at once, " + ROWS + " rows");
    }

    private void participant(String name, String setup) {
        results.participants().add(new Results.Participant(STORE + ", sweep", name, setup));
    }

    private static double rate(int rows, Way way) throws Exception {
        long start = System.nanoTime();
        way.run();
        return rows * 1e9 / (System.nanoTime() - start);
    }
}
