// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.planted.Planted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One run on one store.
 *
 * @param time for how long faults strike
 * @param faults the kinds of faults, or none for all that the store can suffer
 * @param workloads what the workers do, by name
 * @param directory where journals and report go
 */
record Plan(
        String store, Duration time, long seed, Optional<List<String>> faults, List<String> workloads,
        Optional<Planted> planted, Path directory) {

    static final int WORKERS = 3;

    /** Returns what workers do on a store if nobody says otherwise. */
    static List<String> workloadsOf(String store) {
        return store.equals("hazelcast") ? List.of("locks") : List.of("locks", "claims", "stock", "events");
    }

    /** Returns whether nodes on PostgreSQL notify each other: every other seed has it. */
    boolean hasNotifications() {
        return seed % 2 == 0;
    }

    /** Returns whether there is no time to wait for what goes away by itself. */
    boolean isShort() {
        return time.toSeconds() < 60;
    }

    /** Returns how to have the same faults again, for some minutes. */
    String command() {
        return "mvn -q test-compile exec:exec@torture -Dbackends=" + store + " -Dseed=" + seed + " -Dminutes="
                + Math.max(1, time.toMinutes()) + planted.map(bug -> " -Dplanted=" + bug).orElse("");
    }
}
