// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import com.github.reservation.torture.locks.KeyHistory;
import com.github.reservation.torture.model.LeaseTrace;
import com.github.reservation.torture.planted.Planted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short run of what {@link Torture} does for longer, and on all stores. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Needs(value = Backend.POSTGRESQL, ownServer = true)
class TortureTest {

    private static final Path DIRECTORY = Path.of("target/torture");
    private static final long SEED = 1;

    /** Those that are possible everywhere, so that the seed draws the same ones everywhere. */
    private static final List<String> FAULTS =
            List.of("kill", "pause", "reset", "drop-reply", "server-kill", "terminate-sessions");

    @Test
    void allPromisesAreKept_andWhatHappenedToAHotKeyIsPossibleInTheModel() throws Exception {
        Plan plan = new Plan(
                "postgresql", Duration.ofSeconds(20), SEED, Optional.of(FAULTS), Plan.workloadsOf("postgresql"),
                Optional.empty(), DIRECTORY.resolve("short"));

        Report report = new Run(plan, progress -> {}).report();

        assertThat(report.findings()).as(report.text()).isEmpty();
        for (String key : List.of("hot-0", "hot-1")) {
            List<Call> calls = KeyHistory.of(History.in(plan.directory()), key, 1_000);
            assertThat(calls).as(key).hasSizeGreaterThan(50);
            LeaseTrace.Verdict verdict = LeaseTrace.check(calls, 20);
            assertThat(verdict.accepted()).as("%s: %s", key, verdict.reason()).isTrue();
        }
    }

    @Test
    void aBugThatIsPutInOnPurposeIsFound() throws Exception {
        Planted bug = Planted.GRANTED_TWICE;
        Plan plan = new Plan(
                "postgresql", Duration.ofSeconds(8), SEED, Optional.of(bug.faults()), bug.workloads(),
                Optional.of(bug), DIRECTORY.resolve("planted"));

        Report report = new Run(plan, progress -> {}).report();

        assertThat(report.hasFound(bug.rule())).as(report.text()).isTrue();
    }
}
