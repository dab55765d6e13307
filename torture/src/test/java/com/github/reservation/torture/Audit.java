// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.claims.ClaimWorkload;
import com.github.reservation.torture.events.EventAudit;
import com.github.reservation.torture.events.EventWorkload;
import com.github.reservation.torture.history.History;
import com.github.reservation.torture.servers.DatabaseStore;
import com.github.reservation.torture.servers.HazelcastStore;
import com.github.reservation.torture.servers.Store;
import com.github.reservation.torture.stock.StockAudit;
import com.github.reservation.torture.stock.StockWorkload;
import com.github.reservation.torture.worker.Worker;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes the tables before a run, and looks afterwards, when nobody works any more, at what the store holds. */
final class Audit {

    /** The longest lease of a worker, and a moment. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(4);

    private final Store store;
    private final Plan plan;

    Audit(Store store, Plan plan) {
        this.store = store;
        this.plan = plan;
    }

    void install() {
        if (store instanceof DatabaseStore database) {
            String ddl = database.access(0).ddl();
            JdbcBackend.install(database.direct(), ddl);
            for (String workload : plan.workloads()) {
                switch (workload) {
                    case "claims" -> ClaimWorkload.install(database.direct(), ddl);
                    case "stock" -> StockWorkload.install(database.direct(), ddl);
                    case "events" -> EventWorkload.install(database.direct(), ddl);
                    default -> {
                        // Locks are always there.
                    }
                }
            }
        }
    }

    List<Verdict> verdicts(History history) throws InterruptedException {
        List<Verdict> verdicts = new ArrayList<>(List.of(locks()));
        if (store instanceof DatabaseStore database) {
            if (plan.workloads().contains("stock")) {
                verdicts.add(StockAudit.of(database.direct(), history));
            }
            if (plan.workloads().contains("events")) {
                verdicts.add(EventAudit.of(database.direct(), history));
            }
        }
        return verdicts;
    }

    /** <b>free-at-last</b>: when the longest lease is over, no key is locked. */
    private Verdict locks() throws InterruptedException {
        Thread.sleep(LONGEST_LEASE);
        List<Finding> findings = new ArrayList<>();
        for (ReservationInfo locked : locked()) {
            findings.add(new Finding("free-at-last", "still locked: " + locked));
        }
        long lost = IntStream.range(0, Plan.WORKERS).mapToLong(worker -> store.wire(worker).droppedReplies()).sum();
        return new Verdict(findings, Map.of("lost replies", lost));
    }

    private List<ReservationInfo> locked() {
        if (store instanceof DatabaseStore database) {
            return locked(ReservationManager.jdbc(database.direct()).domain(Worker.DOMAIN).build());
        }
        HazelcastInstance client = ((HazelcastStore) store).direct().connect();
        try {
            return locked(ReservationManager.hazelcast(client).domain(Worker.DOMAIN).build());
        } finally {
            client.shutdown();
        }
    }

    private static List<ReservationInfo> locked(ReservationManager manager) {
        try (manager) {
            return manager.listReservations();
        }
    }
}
