// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * <b>loss-once</b>: a loss is told at most once. <b>loss-told</b>: a lock that is relied on for longer than its lease, or whose release finds
 * it lost, was told to be lost. <b>loss-for-a-reason</b>: what was taken away was taken by somebody. <b>loss-in-time</b>: within a second after the end of trust, and not before, unless the key was taken away.
 * The time for which the process was stopped does not count.
 */
final class LossCheck implements LockCheck {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(5);
    private static final List<String> TAKEN_AWAY = List.of("FORCED", "TAKEN_OVER", "DISCONNECTED");

    @Override
    public Verdict of(History history, Grants grants) {
        return new Findings(history, grants).verdict();
    }

    private static final class Findings {

        private final Faults faults;
        private final Map<String, Long> lastSeen;
        private final Map<String, List<Call>> losses;
        private final Map<String, List<Call>> forces;
        private final Grants grants;
        private final List<Finding> findings = new ArrayList<>();

        Findings(History history, Grants grants) {
            faults = Faults.in(history);
            losses = history.of("lost").stream().collect(Collectors.groupingBy(Grant::titleOf));
            lastSeen = history.lastSeen();
            forces = history.byKey("force");
            this.grants = grants;
        }

        Verdict verdict() {
            for (Grant grant : grants.all()) {
                if (grant.fence().isPresent()) {
                    check(grant);
                }
            }
            return new Verdict(findings, Map.of("losses", (long) losses.size()));
        }

        private void check(Grant grant) {
            String worker = grant.acquire().worker();
            List<Call> told = losses.getOrDefault(grant.title(), List.of());
            if (told.size() > 1) {
                findings.add(new Finding("loss-once", told.size() + " times: " + grant + " " + told));
            }
            boolean foundLost = grant.release().filter(release -> release.has("lost")).isPresent();
            if (told.isEmpty()) {
                long due = foundLost
                        ? grant.release().orElseThrow().end()
                        : grant.isRenewed() ? Long.MAX_VALUE : grant.lastTrust();
                long limit = due == Long.MAX_VALUE ? due : withPauses(worker, due);
                boolean reliedOn = foundLost || grant.reliedUntil() > limit;
                if (due != Long.MAX_VALUE && reliedOn && lastSeen.get(worker) > limit) {
                    findings.add(new Finding("loss-told", "not told: " + grant));
                }
            } else {
                forAReason(grant, told.getFirst());
                if (!grant.isRenewed()) {
                    inTime(grant, worker, told.getFirst());
                }
            }
        }

        /** A key is taken away by an administrator, or is another's, or the cluster has lost the client. */
        private void forAReason(Grant grant, Call told) {
            boolean explained = switch (told.text("reason")) {
                case "FORCED", "TAKEN_OVER" -> forces.getOrDefault(grant.key(), List.of()).stream()
                        .anyMatch(force -> force.start() < told.start())
                        || grants.of(grant.key()).stream().anyMatch(other -> other != grant
                                && other.acquire().start() < told.start()
                                && other.acquire().end() > grant.acquire().start());
                case "DISCONNECTED" -> faults.all().stream().anyMatch(Faults::isOfServers);
                default -> true;
            };
            if (!explained) {
                findings.add(new Finding("loss-for-a-reason", "nobody took it away: " + grant + " " + told));
            }
        }

        private void inTime(Grant grant, String worker, Call told) {
            // Who releases or renews in time hears what the store says.
            long due = grant.reliedUntil() < grant.lastTrust()
                    ? Math.max(grant.lastTrust(), grant.release().orElseThrow().end())
                    : Math.max(grant.lastTrust(), grant.lastAnswer());
            if (due != Call.NEVER && told.start() > withPauses(worker, due)) {
                findings.add(new Finding("loss-in-time", "late: " + grant + " " + told));
            }
            boolean early = told.start() < grant.lastTrust() - RESOLUTION;
            boolean clockWasSet = faults.of("clock-step").stream().anyMatch(step -> Faults.concerns(step, worker));
            if (early && !clockWasSet && !TAKEN_AWAY.contains(told.text("reason"))) {
                findings.add(new Finding("loss-in-time", "early: " + grant + " " + told));
            }
        }

        private long withPauses(String worker, long due) {
            long limit = due + PATIENCE;
            return limit + faults.lasted("pause", worker, due - PATIENCE, limit + 6 * PATIENCE);
        }
    }
}
