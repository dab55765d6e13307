// SPDX-License-Identifier: Apache-2.0
/** Distributed locks with a lease that always ends. */
module com.github.reservation {
    requires transitive java.sql;
    // Not transitive: users must be able to compile without them.
    requires static com.hazelcast.core;
    requires static micrometer.core;
    requires static org.jspecify;

    exports com.github.reservation;
    exports com.github.reservation.hazelcast;
    exports com.github.reservation.jdbc;
    exports com.github.reservation.lease;
    exports com.github.reservation.memory;
    exports com.github.reservation.oracle;
    exports com.github.reservation.store;

    // The cellar of both houses: ours alone, and free to change with each version.
    exports com.github.reservation.internal.base to com.github.reservation.pattern;
    exports com.github.reservation.internal.metrics to com.github.reservation.pattern;
    exports com.github.reservation.internal.sql to com.github.reservation.pattern;

    uses com.github.reservation.internal.sql.TableFiles;
}
