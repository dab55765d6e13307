// SPDX-License-Identifier: Apache-2.0
/** Locks over a cluster, with a lease that always ends. */
module com.github.reservation {
    requires static transitive micrometer.core;
    requires static transitive org.jspecify;

    exports com.github.reservation;
    exports com.github.reservation.memory;
}
