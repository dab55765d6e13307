// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** With {@code binlog_format=STATEMENT} MariaDB and MySQL refuse changes at READ COMMITTED. No server of the tests has that format. */
@SideBySide
class BinlogFormatTest extends OnPickupStore {

    @Test
    void aRunSaysWhatToSet() {
        assumeTrue(kind.isMySql(), "Only MariaDB and MySQL have such a format");
        store.holdUpTo(3);
        ScriptedDriver driver = new ScriptedDriver(store.dataSource());
        // The statements before it look at the table, find rows and lock them.
        driver.failAfter(3, Step.SEND, new SQLException("impossible to write to binary log", "HY000", 1665));

        SourceRun run = PickupStore.run(
                store.source().dataSource(driver.dataSource()).expireBatch(PickupOrders::returnStock).build());

        assertThat(run.failure().orElseThrow())
                .hasMessageContaining("Set binlog_format of the server to ROW or MIXED");
        assertThat(driver.isPlayed()).isTrue();
        assertThat(store.count("RESERVED")).isEqualTo(3);
    }
}
