// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Optional;
import java.util.SortedSet;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
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
    private final ObjectProvider<HealthDetail> details;

    ReservationsHealthIndicator(
            ReservationManagers managers,
            Optional<Backend> backend,
            ObjectProvider<HealthDetail> details) {
        super("The store of the reservations does not answer");
        this.managers = managers;
        this.backend = backend;
        this.probes =
                backend.map(known -> new ReservationManagers(domain -> known.newBuilder().domain(domain).build()));
        this.details = details;
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
        details.forEach(detail -> detail.health()
                .ifPresent(known -> builder.withDetail(detail.healthName(), known)));
    }

    @Override
    public void destroy() {
        probes.ifPresent(ReservationManagers::close);
    }
}
