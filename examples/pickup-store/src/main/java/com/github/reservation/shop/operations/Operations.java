// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.Rows;
import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.operations.OperationsView.OutboxView;
import com.github.reservation.shop.operations.OperationsView.OverdueOrder;
import com.github.reservation.shop.operations.OperationsView.RunView;
import com.github.reservation.shop.operations.OperationsView.StateCount;
import com.github.reservation.spring.ReservationManagers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Collects what the operator sees, from the library and from the tables of the shop. */
@Service
class Operations {

    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    private final ReservationManagers managers;
    private final ExpirationJob job;
    private final Outbox outbox;
    private final Claims claims;
    private final RunLog runs;
    private final Samples samples;
    private final JdbcClient jdbc;
    private final DatabaseClock clock;
    private final Instant startedAt = Instant.now();

    Operations(
            ReservationManagers managers,
            ExpirationJob job,
            Outbox outbox,
            Claims claims,
            RunLog runs,
            Samples samples,
            JdbcClient jdbc,
            DatabaseClock clock) {
        this.managers = managers;
        this.job = job;
        this.outbox = outbox;
        this.claims = claims;
        this.runs = runs;
        this.samples = samples;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    OperationsView view(String instance) {
        Instant now = clock.now();
        Duration lag = job.lag().values().stream().max(Duration::compareTo).orElse(Duration.ZERO);
        return new OperationsView(
                holders(now),
                claims(),
                orders(),
                overdue(now),
                overdueCount(now),
                Texts.seconds(lag),
                lag.toMillis() / 1000.0,
                runs.newestFirst().stream().map(Operations::run).toList(),
                outbox(),
                samples.charts(),
                instance,
                startedAt);
    }

    private OutboxView outbox() {
        OutboxBacklog backlog = outbox.backlog();
        return new OutboxView(
                backlog.pending(), backlog.parked(), backlog.oldest().map(Texts::seconds).orElse(null));
    }

    private List<Holder> holders(Instant now) {
        return managers.domains().stream()
                .flatMap(domain -> managers.get(domain).listReservations().stream()
                        .map(held -> Holder.of(domain, held, now)))
                .toList();
    }

    private List<StateCount> claims() {
        return claims.countByStatus().entrySet().stream()
                .map(count -> new StateCount(count.getKey().name(), count.getValue()))
                .toList();
    }

    private List<StateCount> orders() {
        return Rows.of(jdbc.sql("SELECT status AS state, COUNT(*) AS count FROM orders GROUP BY status ORDER BY status")
                .query(StateCount.class));
    }

    private record Overdue(long id, String store, LocalDateTime holdExpiresAt) {}

    private List<OverdueOrder> overdue(Instant now) {
        return Rows.of(jdbc.sql("""
                SELECT o.id, s.name AS store, o.hold_expires_at
                FROM orders o
                JOIN stores s ON s.id = o.store_id
                WHERE o.order_type = 'RESERVE_PICKUP'
                AND o.status = 'RESERVED'
                AND o.hold_expires_at <= ?
                ORDER BY o.hold_expires_at
                LIMIT 10
                """).param(DatabaseClock.column(now)).query(Overdue.class)).stream()
                .map(order -> new OverdueOrder(order.id(), order.store(),
                        Duration.between(DatabaseClock.instant(order.holdExpiresAt()), now).toSeconds()))
                .toList();
    }

    private long overdueCount(Instant now) {
        return jdbc.sql("""
                SELECT COUNT(*)
                FROM orders
                WHERE order_type = 'RESERVE_PICKUP'
                AND status = 'RESERVED'
                AND hold_expires_at <= ?
                """).param(DatabaseClock.column(now)).query(Long.class).single();
    }

    private static RunView run(SourceRun run) {
        return new RunView(
                run.source(),
                run.startedAt(),
                run.duration().toMillis() + " ms",
                run.processedCount(),
                run.failedCount(),
                run.setAsideCount(),
                run.lag().map(Texts::seconds).orElse("?"),
                run.failure().map(Throwable::toString).orElse(null));
    }

    Optional<Holder> holder(String domain, String identifier) {
        return managers.domains().contains(domain)
                ? managers.get(domain).findReservation(identifier).map(held -> Holder.of(domain, held, clock.now()))
                : Optional.empty();
    }

    /**
     * Releases a lock by force; its holder learns that it is lost.
     *
     * @param acquisition what the operator saw: the lock of a later holder is not released
     */
    void release(String domain, String identifier, String acquisition, String operator) {
        Holder holder = holder(domain, identifier).orElseThrow(
                () -> ShopProblem.conflict("Free already", "Nobody holds " + domain + "::" + identifier + "."));
        if (!holder.acquisition().equals(acquisition)) {
            throw ShopProblem.conflict("Another holder",
                    "Somebody else holds " + domain + "::" + identifier + " now: " + holder.holder() + ".");
        }
        managers.get(domain).getReservation(identifier).forceUnlock();
        LOG.warn("{} released {}::{} by force; {} held it", operator, domain, identifier, holder.holder());
    }
}
