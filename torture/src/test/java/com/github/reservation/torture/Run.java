// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.check.Check;
import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.ProgressCheck;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.claims.ClaimCheck;
import com.github.reservation.torture.events.EventCheck;
import com.github.reservation.torture.history.History;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.judge.Judge;
import com.github.reservation.torture.locks.LockChecks;
import com.github.reservation.torture.locks.Recovery;
import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.nemesis.Nemesis;
import com.github.reservation.torture.nemesis.WallClock;
import com.github.reservation.torture.nemesis.WorkerFaults;
import com.github.reservation.torture.servers.DatabaseStore;
import com.github.reservation.torture.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Starts the servers and the workers, has the nemesis strike, lets all come to rest, and has the histories checked. */
final class Run {

    /** How long workers go on after the last fault. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final Plan plan;
    private final Consumer<String> progress;

    Run(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    Report report() throws Exception {
        empty(plan.directory());
        List<Verdict> verdicts = new ArrayList<>();
        History history = torture(verdicts);
        say("checking %,d calls".formatted(history.calls().size()));
        for (Check check : checks()) {
            verdicts.add(check.of(history));
        }
        Faults faults = Faults.in(history);
        verdicts.add(new Verdict(List.of(), Map.of("faults", (long) faults.all().size())));
        if (plan.planted().isEmpty()) {
            verdicts.add(Floors.of(plan, verdicts, faults));
        }
        Report report = Report.of(plan, verdicts, faults, Recovery.of(history));
        Files.writeString(plan.directory().resolve("report.txt"), report.text());
        return report;
    }

    /** New ones for each run: some of them remember what they have found. */
    static List<Check> checks() {
        return List.of(new LockChecks(), new ClaimCheck(), new EventCheck(), new ProgressCheck());
    }

    private void say(String what) {
        progress.accept(plan.store() + " " + what);
    }

    /** Another run may have left its journals here. */
    private static void empty(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** Returns what happened, and adds what the store says in the end. */
    private History torture(List<Verdict> verdicts) throws IOException, InterruptedException {
        try (Store store = Store.start(plan.store(), Plan.WORKERS);
                Journal judged = new Journal(plan.directory().resolve("judge.log"));
                Judge judge = new Judge(judged);
                Fleet fleet = new Fleet(Plan.WORKERS, plan.directory(), properties(judge),
                        worker -> store.access(worker).toString(), plan.seed())) {
            Audit audit = new Audit(store, plan);
            audit.install();
            fleet.start();
            strike(store, fleet, judge);
            Thread.sleep(QUIET);
            say("workers stop");
            fleet.stop();
            say("workers have stopped");
            History history = History.in(plan.directory());
            verdicts.addAll(audit.verdicts(history));
            return history;
        }
    }

    private Map<String, String> properties(Judge judge) {
        return Map.of(
                "judge", Integer.toString(judge.port()),
                "workloads", String.join(",", plan.workloads()),
                "patience", plan.isShort() ? "12" : "60",
                "linger", plan.isShort() ? "0" : "15",
                "notifications", Boolean.toString(plan.hasNotifications()),
                "planted", plan.planted().map(Object::toString).orElse(""),
                "java.util.logging.config.file", System.getProperty("java.util.logging.config.file", ""));
    }

    private void strike(Store store, Fleet fleet, Judge judge) throws InterruptedException {
        long start = System.nanoTime();
        long end = start + plan.time().toNanos();
        try (Journal journal = new Journal(plan.directory().resolve("nemesis.log"));
                Nemesis nemesis = new Nemesis(plan.seed(), kinds(store, fleet), journal)) {
            nemesis.start();
            for (long left = plan.time().toMillis(); left > 0; left =
                    TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
                Thread.sleep(Math.min(5_000, left));
                long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                say("%d:%02d  %,d guarded writes, %,d refused".formatted(
                        seconds / 60, seconds % 60, judge.accepted(), judge.rejected()));
            }
        }
    }

    /** Returns what may happen: all that the store and the workers can suffer, or what the plan names. */
    private List<FaultKind> kinds(Store store, Fleet fleet) {
        List<FaultKind> kinds = new ArrayList<>(store.faults());
        WorkerFaults ofWorkers = new WorkerFaults(fleet, store::wire);
        kinds.addAll(ofWorkers.all());
        if (store instanceof DatabaseStore) {
            kinds.add(ofWorkers.poolExhausted());
        }
        fleet.clockStep().ifPresentOrElse(kinds::add, () -> say(WallClock.whyNot()));
        kinds.removeIf(kind -> plan.faults().isPresent() && !plan.faults().get().contains(kind.name()));
        return kinds;
    }
}
