// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * <b>bounded</b>: a call returns soon after its wait, also during a fault. <b>fails-for-a-reason</b>: without a fault, calls do not fail.
 * <b>kept</b>: a lock that the library renews is not lost without a fault. What a process does in its first seconds is left out: a JVM that
 * starts on a busy machine is slow.
 */
final class ServiceCheck implements LockCheck {

    private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);
    private static final long WARM = TimeUnit.SECONDS.toNanos(10);
    private static final long LONG_WAIT = TimeUnit.HOURS.toMillis(1);

    /** When the server is back, HikariCP may pause for five seconds before it tries to connect again. */
    private static final long POOL_PAUSE = TimeUnit.SECONDS.toNanos(8);

    /** A busy machine can stall now and then: so many failures, and so many losses, are allowed for a thousand calls. */
    private static final int TOLERATED = 1;

    @Override
    public Verdict of(History history, Grants grants) {
        Faults faults = Faults.in(history);
        List<Finding> findings = new ArrayList<>();
        Map<String, Long> began = new HashMap<>();
        history.calls().forEach(call -> began.merge(call.worker(), call.start(), Math::min));
        List<Call> calls = history.of("acquire", "renew", "unlock", "force");
        List<Call> failed = new ArrayList<>();
        for (Call call : calls) {
            boolean warm = call.start() > began.get(call.worker()) + WARM;
            if (call.end() != Call.NEVER && tookTooLong(call, faults)) {
                findings.add(
                        new Finding("bounded", "took " + (call.end() - call.start()) / 1_000_000 + " ms: " + call));
            }
            if (warm && call.has("failed") && isQuiet(call.worker(), call.start(), call.end(), faults)) {
                failed.add(call);
            }
        }
        if (failed.size() > TOLERATED * (1 + calls.size() / 1_000)) {
            findings.add(
                    new Finding("fails-for-a-reason", failed.size() + " calls, the first is " + failed.getFirst()));
        }
        List<Finding> lost = lost(history, grants, faults, began);
        if (lost.size() > TOLERATED * (1 + calls.size() / 1_000)) {
            findings.addAll(lost);
        }
        return new Verdict(
                findings,
                Map.of(
                        "failures without a fault", (long) failed.size(),
                        "losses of renewed locks without a fault", (long) lost.size()));
    }

    private static boolean tookTooLong(Call call, Faults faults) {
        long wait = call.is("acquire") ? call.number("wait") : 0;
        long limit = LIMIT + TimeUnit.MILLISECONDS.toNanos(wait)
                + faults.lasted("pause", call.worker(), call.start(), call.end());
        return wait < LONG_WAIT && call.end() - call.start() > limit;
    }

    private static boolean isQuiet(String worker, long from, long until, Faults faults) {
        return faults.longestDisturbance(worker, from - POOL_PAUSE, until) == 0;
    }

    private static List<Finding> lost(
            History history, Grants grants, Faults faults, Map<String, Long> began) {
        Map<String, Grant> renewed = new HashMap<>();
        grants.all().stream().filter(Grant::isRenewed)
                .forEach(grant -> renewed.put(grant.title(), grant));
        List<Finding> findings = new ArrayList<>();
        for (Call lost : history.of("lost")) {
            Grant grant = renewed.get(Grant.titleOf(lost));
            boolean byItself = lost.text("reason").equals("EXPIRED") || lost.text("reason").equals("STORE_UNREACHABLE");
            if (grant != null
                    && byItself
                    && lost.start() > began.get(lost.worker()) + WARM
                    && isQuiet(lost.worker(), grant.acquire().start(), lost.start(), faults)) {
                findings.add(new Finding("kept", "lost without a fault: " + grant + " " + lost));
            }
        }
        return findings;
    }
}
