// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that have no row yet. */
class NewKeysTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int MANY = 100;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Databases.class)
    void ofTwoNodesThatWantTheSameNewKeyAtOnceOneHasIt(Databases kind) throws Exception {
        try (TestDatabase database = kind.open(directory);
                Actor here = new Actor("here");
                Actor there = new Actor("there")) {
            ReservationManager first = database.manager(database.pool(2), LEASE);
            ReservationManager second = database.manager(database.pool(2), LEASE);
            CyclicBarrier together = new CyclicBarrier(2);

            for (int i = 0; i < MANY; i++) {
                String identifier = "both-" + i;
                Future<Boolean> one = here.starts(() -> tryLock(first, identifier, together));
                Future<Boolean> other = there.starts(() -> tryLock(second, identifier, together));

                assertThat(Actor.result(one)).as(identifier).isNotEqualTo(Actor.result(other));
            }
        }
    }

    private static boolean tryLock(ReservationManager manager, String identifier, CyclicBarrier together)
            throws Exception {
        together.await();
        return manager.getReservation(identifier).tryLock();
    }
}
