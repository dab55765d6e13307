// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.torture.history.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leases of one second, with a margin of 50 ms. All times are milliseconds. */
class LeaseTraceTest {

    private static final long MILLI = 1_000_000;

    /** A machine's clock has any origin, and fences begin with the time. */
    private static final long ORIGIN = -7_000_000_000_000L;

    private static final long FIRST_FENCE = 1_795_000_000_000_000L;

    private final List<Call> history = new ArrayList<>();

    private void call(String worker, String what, String result, long start, long end, Map<String, String> facts) {
        history.add(new Call(
                worker, "t", ORIGIN + start * MILLI, end == Long.MAX_VALUE ? end : ORIGIN + end * MILLI,
                what, "orders::1", result, facts));
    }

    private void granted(String worker, long start, long end, int fence) {
        call(worker, "acquire", "granted", start, end, facts(fence, start + 950, Map.of("lease", "1000")));
    }

    private void renewed(String worker, long start, long end, int fence) {
        call(worker, "renew", "renewed", start, end, facts(fence, start + 950, Map.of()));
    }

    private void release(String worker, String result, long start, long end, int fence) {
        call(worker, "release", result, start, end, Map.of("fence", String.valueOf(FIRST_FENCE + fence)));
    }

    private void told(String worker, long time, int fence) {
        call(worker, "lost", "told", time, time, Map.of("fence", String.valueOf(FIRST_FENCE + fence)));
    }

    private static Map<String, String> facts(int fence, long until, Map<String, String> others) {
        Map<String, String> facts = new HashMap<>(others);
        facts.put("fence", String.valueOf(FIRST_FENCE + fence));
        facts.put("until", String.valueOf(ORIGIN + until * MILLI));
        return facts;
    }

    private LeaseTrace.Verdict verdict() throws Exception {
        return LeaseTrace.check(history, 10);
    }

    private void assertAccepted() throws Exception {
        assertThat(verdict()).isEqualTo(new LeaseTrace.Verdict(true, ""));
    }

    private void assertRejected(String reason) throws Exception {
        LeaseTrace.Verdict verdict = verdict();

        assertThat(verdict.accepted()).isFalse();
        assertThat(verdict.reason()).contains(reason);
    }

    @Test
    void legalHistoryIsAccepted() throws Exception {
        granted("a", 0, 5, 1);
        call("b", "acquire", "refused", 2, 8, Map.of("lease", "1000"));
        renewed("a", 600, 610, 1);
        release("a", "released", 900, 910, 1);
        granted("b", 700, 905, 2); // It waited, and its request was sent at 700 at the earliest.
        told("b", 1651, 2);
        granted("a", 1500, 1910, 7); // Nobody got the fences between.
        release("b", "lost", 1800, 1920, 2);
        call("a", "force", "done", 2000, 2010, Map.of());
        release("a", "lost", 2020, 2030, 7);

        assertAccepted();
    }

    @Test
    void processesThatDieAreAccepted() throws Exception {
        granted("a", 0, 5, 1);
        call("b", "acquire", "unknown", 1, Long.MAX_VALUE, Map.of("lease", "1000"));
        call("a", "release", "unknown", 10, Long.MAX_VALUE, Map.of("fence", String.valueOf(FIRST_FENCE + 1)));
        granted("c", 20, 30, 3); // The release has reached the store.

        assertAccepted();
    }

    @Test
    void grantDuringTheLeaseOfAnotherIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        granted("b", 500, 510, 2);

        assertRejected("ANSWERED at 510000");
    }

    @Test
    void grantBeforeTheEndOfRenewedLeaseIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        renewed("a", 600, 610, 1);
        granted("b", 1100, 1110, 2);

        assertRejected("ANSWERED at 1110000");
    }

    @Test
    void fenceThatRepeatsIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        release("a", "released", 10, 15, 1);
        granted("b", 20, 25, 1);

        assertRejected("ANSWERED at 25000");
    }

    @Test
    void fenceThatIsLowerIsRejected() throws Exception {
        granted("a", 0, 5, 2);
        release("a", "released", 10, 15, 2);
        granted("b", 20, 25, 1);

        assertRejected("ANSWERED at 5000"); // Fence 1 comes first, and its acquisition was not sent yet.
    }

    @Test
    void renewalAfterGrantOfAnotherIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        granted("b", 1100, 1110, 2);
        renewed("a", 1120, 1130, 1);

        assertRejected("ANSWERED at 1130000");
    }

    @Test
    void renewalLongAfterTheEndIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        renewed("a", 1100, 1110, 1);

        assertRejected("ANSWERED at 1110000");
    }

    @Test
    void releaseOfLeaseThatIsGoneIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        release("a", "released", 10, 15, 1);
        release("a", "released", 20, 25, 1);

        assertRejected("ANSWERED at 25000");
    }

    @Test
    void lossOfLeaseThatRunsIsRejected() throws Exception {
        granted("a", 0, 5, 1);
        told("a", 500, 1);

        assertRejected("TOLD at 500000");
    }

    @Test
    void trustThatCountsFromTheReplyIsRejected() throws Exception {
        call("a", "acquire", "granted", 0, 300, facts(1, 1300, Map.of("lease", "1000")));

        assertRejected("ANSWERED at 300000");
    }
}
