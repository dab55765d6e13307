// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;

/** Runs two instances of the shop on one PostgreSQL, until Enter or Ctrl-C. Needs nothing but this machine. */
final class TwoInstances {

    private TwoInstances() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("Starting PostgreSQL ...");
        try (PostgresServer server = PostgresServer.start()) {
            Database database = server.newDatabase();
            System.out.println("Starting two instances ...");
            String password = "--shop.operator-password=operator";
            try (Instance first = Instance.start(database, 8080, password)) {
                first.awaitOpen(); // It creates the tables.
                try (Instance second = Instance.start(database, 8081, password)) {
                    second.awaitOpen();
                    System.out.println("""
                            One shop in two instances: http://localhost:8080 and http://localhost:8081
                            Operator: name operator, password operator. Press Enter to stop.""");
                    System.in.read();
                }
            }
        }
    }
}
