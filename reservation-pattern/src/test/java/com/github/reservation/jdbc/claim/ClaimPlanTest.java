// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.jdbc.ClaimStatementsOf;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.lock.Databases;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A new table has no statistics, and PostgreSQL may keep the plan that it makes then for as long as a connection lives: the plan must be
 * good for a table of many claims.
 */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "POSTGRESQL")
@SideBySide
class ClaimPlanTest extends OnClaimTable {

    @Test
    void aChangeFindsItsClaimByTheIdEvenOnANewTable() {
        List<String> changes = ClaimStatementsOf.table(Dialects.POSTGRESQL).values().stream()
                .filter(sql -> sql.startsWith("UPDATE") && sql.contains("WHERE reservation_id = ?"))
                .toList();

        assertThat(changes).hasSize(7).allSatisfy(sql -> assertThat(planOf(sql))
                .contains("pk_reservation_claims")
                .doesNotContain("ix_reservation_claims_status_expires"));
    }

    private String planOf(String sql) {
        return database.query("EXPLAIN (FORMAT JSON) " + sql.replace("?", "'1'"));
    }
}
