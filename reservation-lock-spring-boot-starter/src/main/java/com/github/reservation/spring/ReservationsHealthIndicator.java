// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Up if the store answers. All managers share one store, so one of them asks; if the application has none yet, the backend does. What the
 * job did in its last run, what the outbox has not delivered, and whether notifications arrive, are details and do not change the
 * status: without notifications waiters poll.
 */
final class ReservationsHealthIndicator extends AbstractHealthIndicator implements DisposableBean {

    /** Asked for, never acquired. */
    private static final String PROBE = "health";

    private final ReservationManagers managers;
    private final Optional<Backend> backend;
    private final Optional<ReservationManagers> probes;
    private final Optional<Outbox> outbox;
    private final Supplier<Optional<ExpirationRun>> lastRun;

    ReservationsHealthIndicator(
            ReservationManagers managers,
            Optional<Backend> backend,
            Optional<Outbox> outbox,
            Supplier<Optional<ExpirationRun>> lastRun) {
        super("The store of the reservations does not answer");
        this.managers = managers;
        this.backend = backend;
        this.probes =
                backend.map(known -> new ReservationManagers(domain -> known.newBuilder().domain(domain).build()));
        this.outbox = outbox;
        this.lastRun = lastRun;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        SortedSet<String> domains = managers.domains();
        if (domains.isEmpty()) {
            backend.ifPresent(known -> known.ask(probes.orElseThrow()));
        } else {
            managers.get(domains.first()).getReservation(PROBE).isLocked();
        }
        builder.up().withDetail("domains", domains);
        backend.flatMap(Backend::notifies)
                .ifPresent(notifies -> builder.withDetail("notifications",
                        (notifies ? Status.UP : Status.DOWN).getCode()));
        lastRun.get().ifPresent(run -> builder.withDetail("expiration", details(run)));
        outbox.ifPresent(known -> builder.withDetail("outbox", details(known)));
    }

    @Override
    public void destroy() {
        probes.ifPresent(ReservationManagers::close);
    }

    private static Map<String, Object> details(Outbox outbox) {
        try {
            return details(outbox.backlog());
        } catch (RuntimeException e) { // Its database need not be the store of the locks.
            return Map.of("failure", e.toString());
        }
    }

    private static Map<String, Object> details(OutboxBacklog backlog) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("pending", backlog.pending());
        details.put("parked", backlog.parked());
        backlog.oldest().ifPresent(oldest -> details.put("oldest", oldest));
        return details;
    }

    private static Map<String, Object> details(ExpirationRun run) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (SourceRun source : run.sources()) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("startedAt", source.startedAt());
            source.lag().ifPresent(lag -> detail.put("lag", lag));
            source.failure().ifPresent(failure -> detail.put("failure", failure.toString()));
            detail.put("setAside", source.setAsideCount());
            details.put(source.source(), detail);
        }
        return details;
    }
}
