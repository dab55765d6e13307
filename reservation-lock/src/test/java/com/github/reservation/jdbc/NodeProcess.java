// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.LockOrders;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node on a database, in a JVM of its own, that obeys {@link LockOrders}. */
final class NodeProcess {

    private NodeProcess() {}

    static ChildJvm start(HikariDataSource pool, String domain, Duration lease) {
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of(
                "-classpath",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                pool.getJdbcUrl(),
                pool.getUsername(),
                String.valueOf(pool.getPassword()),
                domain,
                Long.toString(lease.toMillis())));
        ChildJvm jvm = new ChildJvm(ChildJvm.newDirectory(), arguments);
        if (!jvm.answer().equals("ready")) {
            throw new IllegalStateException("Not ready: " + jvm.log());
        }
        return jvm;
    }

    public static void main(String[] args) throws Exception {
        LockOrders.obey(ReservationManager.jdbc(JdbcBackend.pool(args[0], args[1], args[2]))
                .domain(args[3])
                .leaseTime(Duration.ofMillis(Long.parseLong(args[4])))
                .build());
    }
}
