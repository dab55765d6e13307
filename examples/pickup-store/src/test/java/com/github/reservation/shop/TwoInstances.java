// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;

/** Runs two instances of the shop on one PostgreSQL, until Enter or Ctrl-C. Needs nothing but this machine. */
final class TwoInstances {

    private TwoInstances() {}

    public static void main(String[] arguments) throws Exception {
        // Maven does not end what it has started when a signal ends it.
        ProcessHandle.current().parent().ifPresent(maven -> maven.onExit().thenRun(() -> System.exit(0)));
        System.out.println("Starting PostgreSQL ...");
        try (PostgresServer server = PostgresServer.start()) {
            Database database = server.newDatabase();
            System.out.println("Starting two instances ...");
            String password = "--shop.operator-password=operator";
            try (Instance first = Instance.start(database, 8080, password);
                    Instance second = Instance.start(database, 8081, password)) {
                first.awaitOpen();
                second.awaitOpen();
                System.out.println("""
                        One shop in two instances: http://localhost:8080 and http://localhost:8081
                        Operator: name operator, password operator. Press Enter to stop.""");
                awaitEnter();
            }
        }
    }

    /** In the background there is no one who could press it: then Ctrl-C or a signal ends the process. */
    private static void awaitEnter() throws Exception {
        if (System.in.read() < 0) {
            Thread.currentThread().join();
        }
    }
}
