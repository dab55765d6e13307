// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories that were written by hand, in milliseconds: the checks accept what is promised, and find what is not. */
class LockChecksTest {

    private final List<Call> calls = new ArrayList<>();

    /** Adds what a worker has noted. Times are the second word of a line, and what follows {@code until=}. */
    private LockChecksTest worker(String name, String journal) {
        calls.addAll(History.parse(name, journal.lines().map(LockChecksTest::inNanoseconds)));
        return this;
    }

    private static String inNanoseconds(String line) {
        return line.replaceFirst("^(. )(\\d+)", "$1$2000000").replaceFirst("until=(\\d+)", "until=$1000000");
    }

    private List<String> rulesBrokenBy(LockCheck check) {
        History history = new History(calls);
        return check.of(history, Grants.in(history)).findings().stream().map(Finding::rule).toList();
    }

    /** A lock of thread 1 that is granted at 10 and trusted for two seconds. */
    private static final String GRANT = """
            > 0 1 acquire k way=LOCK lease=2000 wait=0
            < 10 1 granted grant=a fence=1 until=1950
            """;

    @Test
    void holdersOneAfterAnotherAreAsPromised() {
        worker("w0.1", GRANT + """
                > 100 1 unlock k grant=a
                < 110 1 released
                """);
        worker("w1.1", """
                > 20 1 acquire k way=LOCK lease=2000 wait=1000
                < 105 1 granted grant=b fence=2 until=1970
                > 200 1 unlock k grant=b
                < 210 1 released
                """);

        for (LockCheck check : List.of(new ExclusionCheck(), new FenceCheck(), new LossCheck(), new RefusalCheck())) {
            assertThat(rulesBrokenBy(check)).as("%s", check.getClass()).isEmpty();
        }
    }

    @Test
    void twoHoldersAtOnceAreFound() {
        worker("w0.1", GRANT).worker("w1.1", """
                > 1800 1 acquire k way=LOCK lease=2000 wait=0
                < 1900 1 granted grant=b fence=2 until=3750
                """);

        assertThat(rulesBrokenBy(new ExclusionCheck())).containsExactly("exclusive");
    }

    @Test
    void aRenewalProlongsTheTimeOfAHolder() {
        worker("w0.1", GRANT + """
                > 1000 1 renew k grant=a lease=2000
                < 1100 1 renewed until=2950
                """).worker("w1.1", """
                > 2000 1 acquire k way=LOCK lease=2000 wait=0
                < 2500 1 granted grant=b fence=2 until=3950
                """);

        assertThat(rulesBrokenBy(new ExclusionCheck())).containsExactly("exclusive");
    }

    @Test
    void aForcedReleaseMayTakeTheKeyFromItsHolder_butWhatIsRenewedAfterwardsCounts() {
        worker("w2.1", """
                > 500 1 force k
                < 510 1 done
                """).worker("w1.1", """
                > 520 1 acquire k way=LOCK lease=2000 wait=0
                < 600 1 granted grant=b fence=2 until=2450
                """).worker("w0.1", GRANT);
        assertThat(rulesBrokenBy(new ExclusionCheck())).isEmpty();

        calls.clear();
        worker("w2.1", """
                > 500 1 force k
                < 510 1 done
                """).worker("w1.1", """
                > 520 1 acquire k way=LOCK lease=2000 wait=0
                < 600 1 granted grant=b fence=2 until=2450
                """).worker("w0.1", GRANT + """
                > 700 1 renew k grant=a lease=2000
                < 800 1 renewed until=2650
                """);
        assertThat(rulesBrokenBy(new ExclusionCheck())).containsExactly("exclusive");
    }

    @Test
    void aTokenThatRepeatsOrFallsIsFound() {
        worker("w0.1", GRANT).worker("w1.1", """
                > 2100 1 acquire k way=LOCK lease=2000 wait=0
                < 2200 1 granted grant=b fence=1 until=4050
                """).worker("w1.1", """
                > 5000 1 acquire k way=LOCK lease=2000 wait=0
                < 5100 1 granted grant=c fence=0 until=6950
                """);

        assertThat(rulesBrokenBy(new FenceCheck())).contains("fence-unique", "fence-order");
    }

    @Test
    void aLossIsToldOnceAndInTime() {
        String late = GRANT + """
                > 3500 1 unlock k grant=a
                < 3510 1 lost
                . 9000 9 other k
                """;

        worker("w0.1", late + ". 1951 9 lost k fence=1 reason=EXPIRED\n");
        assertThat(rulesBrokenBy(new LossCheck())).as("told in time").isEmpty();
        calls.clear();
        worker("w0.1", late);
        assertThat(rulesBrokenBy(new LossCheck())).as("not told").containsExactly("loss-told");
        calls.clear();
        worker("w0.1", late + ". 1951 9 lost k fence=1 reason=EXPIRED\n. 1952 9 lost k fence=1 reason=EXPIRED\n");
        assertThat(rulesBrokenBy(new LossCheck())).as("told twice").containsExactly("loss-once");
        calls.clear();
        worker("w0.1", late + ". 3400 9 lost k fence=1 reason=EXPIRED\n");
        assertThat(rulesBrokenBy(new LossCheck())).as("told late").containsExactly("loss-in-time");
        calls.clear();
        worker("w0.1", late + ". 1000 9 lost k fence=1 reason=EXPIRED\n");
        assertThat(rulesBrokenBy(new LossCheck())).as("told early").containsExactly("loss-in-time");
    }

    @Test
    void aProcessThatWasStoppedHearsOfItsLossLater() {
        worker("w0.1", GRANT + """
                > 4500 1 unlock k grant=a
                < 4510 1 lost
                . 4501 9 lost k fence=1 reason=EXPIRED
                """).worker("nemesis", """
                > 1000 1 fault pause victim=w0
                < 4400 1 healed
                """);

        assertThat(rulesBrokenBy(new LossCheck())).isEmpty();
    }

    @Test
    void aRefusalWithoutAReasonIsFound() {
        worker("w0.1", """
                > 0 1 acquire k way=HANDLE lease=1000 wait=0
                < 10 1 granted grant=a fence=1 until=950
                > 20 1 unlock k grant=a
                < 30 1 released
                > 25 2 acquire k way=HANDLE lease=1000 wait=0
                < 40 2 refused
                """);
        assertThat(rulesBrokenBy(new RefusalCheck())).as("while it was released").isEmpty();

        worker("w1.1", """
                > 50 2 acquire k way=HANDLE lease=1000 wait=0
                < 60 2 refused
                """);
        assertThat(rulesBrokenBy(new RefusalCheck())).as("afterwards").containsExactly("refused-for-a-reason");
    }

    @Test
    void theKeyOfAKilledHolderIsFreeSoonAfterItsLease() {
        String kill = """
                > 500 1 fault kill victim=w0
                < 700 1 healed
                """;
        String waiter = """
                > 100 1 acquire k way=LOCK lease=2000 wait=9999
                < %d 1 granted grant=b fence=2 until=9000
                """;
        worker("w0.1", GRANT).worker("nemesis", kill).worker("w1.1", waiter.formatted(2500));
        assertThat(rulesBrokenBy(new KilledHolderCheck())).isEmpty();

        calls.clear();
        worker("w0.1", GRANT).worker("nemesis", kill).worker("w1.1", waiter.formatted(3500));
        assertThat(rulesBrokenBy(new KilledHolderCheck())).containsExactly("free-after-kill");
    }
}
