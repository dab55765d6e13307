// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import com.github.reservation.LossListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Makes managers of locks with a bug. */
public final class BrokenLocks {

    private BrokenLocks() {}

    /** Returns a manager on the database whose store, or whose clock, has the bug. */
    public static ReservationManager manager(DataSource dataSource, String domain, Duration lease, Planted bug) {
        BrokenLeases store = new BrokenLeases(
                new JdbcLeaseStore(new JdbcSettings(
                        new SqlTable(
                                dataSource, Optional.empty(), new TableName("RESERVATION_LOCKS"),
                                Duration.ofSeconds(2), ""),
                        false,
                        Duration.ofMillis(150),
                        Optional.empty())),
                bug);
        return ReservationManager.on(store)
                .domain(domain)
                .leaseTime(lease)
                .pollInterval(Duration.ofMillis(1))
                .maxPollInterval(Duration.ofMillis(100))
                .ticker(store.ticker())
                .build();
    }

    /** Returns what is told of losses if the bug is there. */
    public static LossListener listener(LossListener listener, Optional<Planted> bug) {
        AtomicInteger losses = new AtomicInteger();
        return lost -> {
            boolean even = losses.incrementAndGet() % 2 == 0;
            if (!even || !bug.equals(Optional.of(Planted.LOSS_NOT_TOLD))) {
                listener.onLost(lost);
            }
            if (bug.equals(Optional.of(Planted.LOSS_TOLD_TWICE))) {
                listener.onLost(lost);
            }
        };
    }

    /** Returns a data source that takes three connections for itself. */
    public static DataSource keeping(DataSource dataSource) {
        AtomicInteger taken = new AtomicInteger();
        return (DataSource) Proxy.newProxyInstance(
                BrokenLocks.class.getClassLoader(), new Class<?>[]{DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection") && taken.get() < 3) {
                        Passed.to(dataSource, method, arguments);
                        taken.incrementAndGet();
                    }
                    return Passed.to(dataSource, method, arguments);
                });
    }
}
