// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.SourceRun;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up if the store answers. All managers share one store, so one of them is asked; if the application has none yet, nobody is. What the
 * job did in its last run is a detail, and does not change the status.
 */
final class ReservationsHealthIndicator extends AbstractHealthIndicator {

    /** Asked for, never acquired. */
    private static final String PROBE = "health";

    private final ReservationManagers managers;
    private final Supplier<Optional<ExpirationRun>> lastRun;

    ReservationsHealthIndicator(ReservationManagers managers, Supplier<Optional<ExpirationRun>> lastRun) {
        super("The store of the reservations does not answer");
        this.managers = managers;
        this.lastRun = lastRun;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        SortedSet<String> domains = managers.domains();
        if (!domains.isEmpty()) {
            managers.get(domains.first()).getReservation(PROBE).isLocked();
        }
        builder.up().withDetail("domains", domains);
        lastRun.get().ifPresent(run -> builder.withDetail("expiration", details(run)));
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
