// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;

/** Checks how many statements were sent, and that no other call of the driver can be a round trip. */
final class RoundTrips {

    private static final Set<String> LOCAL_ON_POSTGRESQL = Set.of("setAutoCommit(true)", "createArrayOf");

    private final Databases kind;
    private final RecordingDataSource recorded;

    RoundTrips(Databases kind, RecordingDataSource recorded) {
        this.kind = kind;
        this.recorded = recorded;
    }

    /** Returns whether one statement takes a key that may be new. */
    boolean hasUpsert() {
        return kind == Databases.POSTGRESQL || kind == Databases.MARIADB;
    }

    /** Returns how many statements take a key that is new. */
    int ofANewKey() {
        return kind == Databases.ORACLE_MODE || kind == Databases.MYSQL ? 2 : 1;
    }

    /** Returns whether a key that the manager does not know is inserted in vain before its row is updated. */
    boolean insertsFirst() {
        return kind == Databases.H2_IN_MEMORY || kind == Databases.H2_FILE;
    }

    void assertOneStatement() {
        assertStatements(1);
    }

    void assertStatements(int count) {
        assertThat(recorded.executions()).hasSize(count);
        assertThat(recorded.taken()).isOne();
        assertNothingHidden();
    }

    /**
     * The driver knows whether autocommit is on, and PostgreSQL's does nothing if it is switched on again, and makes an array of texts
     * by itself. All other questions and settings can be round trips.
     */
    void assertNothingHidden() {
        assertThat(recorded.open()).isZero();
        assertThat(recorded.onConnections())
                .filteredOn(call -> kind != Databases.POSTGRESQL || !LOCAL_ON_POSTGRESQL.contains(call))
                .containsOnly("getAutoCommit", "prepareStatement", "close")
                .containsOnlyOnce("getAutoCommit", "close");
        if (kind.ddl().equals("h2")) {
            // H2 does not limit the statement but the whole session, with a statement of its own.
            assertThat(recorded.onStatements()).doesNotContain("setQueryTimeout");
        }
    }
}
