// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.expiration.jdbc.ExpirationStatementsOf;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.lock.Databases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On PostgreSQL, orders that are not overdue do not slow down the find: the index ends it. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class FindPlanTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
            "find the first overdue rows", "find out how long the oldest row has been overdue"})
    void theEndOfTheFindIsAConditionOfTheIndex(String purpose) throws Exception {
        String sql = ExpirationStatementsOf.orders(Dialects.POSTGRESQL).get(purpose).replace("?", "500");
        StringBuilder plan = new StringBuilder();
        try (PickupStore store = new PickupStore(Databases.POSTGRESQL.open(directory)).install();
                Connection connection = store.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET enable_seqscan = off");
            statement.execute("SET enable_bitmapscan = off");
            try (ResultSet line = statement.executeQuery("EXPLAIN " + sql)) {
                while (line.next()) {
                    plan.append(line.getString(1)).append('\n');
                }
            }
        }

        assertThat(plan.toString()).containsPattern("Index Cond: .*hold_expires_at <= ");
    }
}
