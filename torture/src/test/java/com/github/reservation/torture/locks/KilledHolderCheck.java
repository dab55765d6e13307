// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * <b>free-after-kill</b>: what a killed process held, somebody who waits for it gets within a second after the end of the lease, unless
 * another fault strikes meanwhile.
 */
final class KilledHolderCheck implements LockCheck {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    @Override
    public Verdict of(History history, Grants grants) {
        Faults faults = Faults.in(history);
        Map<String, List<Call>> requests = history.byKey("acquire");
        Map<String, Long> lastSeen = history.lastSeen();
        List<Finding> findings = new ArrayList<>();
        long held = 0;
        long wanted = 0;
        long longest = 0;
        for (Call kill : faults.of("kill")) {
            for (Grant grant : grants.all()) {
                String worker = grant.acquire().worker();
                boolean died = Faults.concerns(kill, worker)
                        && grant.acquire().end() < kill.start()
                        && grant.release().filter(release -> release.end() != Call.NEVER).isEmpty()
                        && lastSeen.get(worker) < kill.end() + PATIENCE
                        && grant.leaseEnd() > kill.start();
                if (!died) {
                    continue;
                }
                held++;
                if (grant.mayHaveBeenRenewedUnseen(kill.start())) {
                    continue;
                }
                Optional<Long> waited = waited(grant, requests.get(grant.key()), grants, faults, kill);
                if (waited.isPresent()) {
                    wanted++;
                    longest = Math.max(longest, waited.get());
                    if (waited.get() > PATIENCE) {
                        findings.add(new Finding(
                                "free-after-kill",
                                grant.key() + " came " + TimeUnit.NANOSECONDS.toMillis(waited.get())
                                        + " ms after the end of the lease of " + grant));
                    }
                }
            }
        }
        return new Verdict(
                findings,
                Map.of(
                        "locks of killed holders", held,
                        "locks of killed holders, waited for", wanted,
                        "longest wait after a lease, ms", TimeUnit.NANOSECONDS.toMillis(longest)));
    }

    /** Returns how long after the end of the lease the key was granted to somebody who waited for it then. */
    private static Optional<Long> waited(
            Grant dead, List<Call> requests, Grants grants, Faults faults, Call kill) {
        long end = dead.earliestEnd();
        boolean wanted = requests.stream()
                .anyMatch(request -> request.start() < end && request.end() > end
                        && (request.has("granted") || request.end() > dead.leaseEnd() + PATIENCE)
                        && request.number("wait") > 0);
        Optional<Grant> next = grants.of(dead.key()).stream()
                .filter(grant -> grant != dead && grant.acquire().end() > kill.start())
                .min(Comparator.comparingLong(grant -> grant.acquire().end()));
        boolean disturbed = next.isPresent() && faults.all().stream()
                .anyMatch(fault -> fault != kill
                        && fault.start() < next.get().acquire().end() && Faults.over(fault) > kill.start());
        return wanted && next.isPresent() && !disturbed
                ? Optional.of(Math.max(0, next.get().acquire().end() - end))
                : Optional.empty();
    }
}
