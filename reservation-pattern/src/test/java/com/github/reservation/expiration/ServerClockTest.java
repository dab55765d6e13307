// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.ShiftedClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the JVM is an hour off. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class ServerClockTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void theClockOfTheServerDecidesWhatIsOverdue(int hours) throws Exception {
        try (PickupStore store = new PickupStore(ShiftedClock.postgreSql(directory, Duration.ofHours(hours)))) {
            store.install();
            store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofMinutes(30), 1);
            store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofMinutes(-30), 2);
            TableExpirationSource<?> source = store.source().build();

            assertThat(source.lag()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
            assertThat(PickupStore.run(source).processedCount()).isEqualTo(1);
            assertThat(store.status(1)).isEqualTo("EXPIRED");
            assertThat(store.status(2)).isEqualTo("RESERVED");
        }
    }
}
