// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.wire.Link;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nemesis repeats itself, heals what it broke, and writes down when. */
class NemesisTest {

    @TempDir
    Path directory;

    @Test
    void theSameSeedDrawsTheSameFaults() {
        assertThat(drawn(7)).isEqualTo(drawn(7)).isNotEqualTo(drawn(8));
    }

    private static List<String> drawn(long seed) {
        WorkerFaults faults = new WorkerFaults(new Recorded(), worker -> new Link());
        List<FaultKind> kinds = new ArrayList<>(faults.all());
        kinds.add(faults.poolExhausted());
        try (Nemesis nemesis = new Nemesis(seed, kinds, new Journal(Path.of("/dev/null")))) {
            List<String> drawn = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                nemesis.draw().forEach(planned -> drawn.add("%s %s %s %s %s".formatted(planned.kind(), planned.after(),
                        planned.fault().victim(), planned.fault().length(), planned.fault().facts())));
            }
            return drawn;
        }
    }

    @Test
    void aFaultIsHealedAtOnceWhenTheNemesisIsClosed_andTheJournalSaysSo() {
        Recorded workers = new Recorded();
        FaultKind pause = new FaultKind("pause", 1,
                random -> Fault.of("worker-1", Duration.ofHours(1), () -> workers.freeze(0), () -> workers.thaw(0))
                        .saying("why", "it has to"));

        try (Journal journal = new Journal(directory.resolve("nemesis.log"))) {
            try (Nemesis nemesis = new Nemesis(1, List.of(pause), journal, Duration.ZERO)) {
                nemesis.start();
                await().until(() -> workers.done.contains("freeze 0"));
            }
        }

        assertThat(workers.done).containsExactly("freeze 0", "thaw 0");
        Call fault = History.in(directory).of("fault").getFirst();
        assertThat(fault.key()).isEqualTo("pause");
        assertThat(fault.result()).isEqualTo("healed");
        assertThat(fault.facts()).containsEntry("victim", "worker-1").containsEntry("length", "3600000")
                .containsEntry("why", "it_has_to");
    }

    @Test
    void aFaultThatGoesWrongIsHealedAllTheSame_andMakesTheRunFail() {
        Recorded workers = new Recorded();
        FaultKind broken = new FaultKind("broken", 1, random -> Fault.of("worker-1", Duration.ofHours(1), () -> {
            throw new IllegalStateException("no");
        }, () -> workers.thaw(0)));
        Journal journal = new Journal(directory.resolve("nemesis.log"));
        Nemesis nemesis = new Nemesis(1, List.of(broken), journal, Duration.ZERO);

        nemesis.start();
        await().until(() -> workers.done.contains("thaw 0"));

        assertThatIllegalStateException().isThrownBy(nemesis::close).havingRootCause().withMessage("no");
        assertThat(History.in(directory).of("fault")).first().extracting(Call::result).isEqualTo("failed");
    }

    @Test
    void everyKindDrawsVictimsAmongTheWorkers() {
        RandomGenerator random = new SplittableRandom(1);
        for (FaultKind kind : new WorkerFaults(new Recorded(), worker -> new Link()).all()) {
            for (int i = 0; i < 100; i++) {
                assertThat(kind.draw().apply(random).victim()).as(kind.name()).isIn("worker-1", "worker-2", "worker-3");
            }
        }
    }

    @Test
    void theOffsetOfAClockIsAWholeLineAtAnyTime() throws Exception {
        WallClock clock = new WallClock(Path.of("libfaketime.so.1"), directory);
        assertThat(Files.readString(directory.resolve("wall-clock"))).isEqualTo("+0\n");

        clock.set(-3600);

        assertThat(Files.readString(directory.resolve("wall-clock"))).isEqualTo("-3600\n");
    }

    /** Workers that do nothing but remember. */
    private static final class Recorded implements Workers {

        private final List<String> done = new CopyOnWriteArrayList<>();

        @Override
        public int size() {
            return 3;
        }

        @Override
        public String name(int worker) {
            return "worker-" + (worker + 1);
        }

        @Override
        public void kill(int worker) {
            done.add("kill " + worker);
        }

        @Override
        public void restart(int worker) {
            done.add("restart " + worker);
        }

        @Override
        public void freeze(int worker) {
            done.add("freeze " + worker);
        }

        @Override
        public void thaw(int worker) {
            done.add("thaw " + worker);
        }

        @Override
        public void order(int worker, String line) {
            done.add(line + " " + worker);
        }
    }
}
