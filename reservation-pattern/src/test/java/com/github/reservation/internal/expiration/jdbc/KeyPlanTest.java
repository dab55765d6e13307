// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of a batch are found by their primary key, also if it has several columns. */
@SideBySide
@ParameterizedClass
@EnumSource(names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
class KeyPlanTest {

    private static final List<String> COLUMNS = List.of("shop", "number");
    private static final int ROWS = 16_384;

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    @Test
    void aListOfKeysOfTwoColumnsIsSearchedInTheIndex() throws Exception {
        String list = IntStream.range(0, 10)
                .mapToObj(i -> "(" + i + ", " + 100 * i + ")")
                .collect(Collectors.joining(", "));
        String condition = KeyColumns.in(COLUMNS).replace("{list}", list);
        StringBuilder plan = new StringBuilder();
        try (TestDatabase database = kind.open(directory)) {
            fill(database);
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("EXPLAIN SELECT * FROM parcels WHERE " + condition)) {
                while (row.next()) {
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        plan.append(row.getString(i)).append(' ');
                    }
                }
            }
        }

        assertThat(plan.toString())
                .containsPattern("pk_parcels|PRIMARY_KEY|range PRIMARY|range scan on parcels using PRIMARY");
    }

    private void fill(TestDatabase database) {
        database.execute("DROP TABLE IF EXISTS parcels");
        database.execute("CREATE TABLE parcels (shop INT NOT NULL, number INT NOT NULL, status VARCHAR(20) NOT NULL,"
                + " CONSTRAINT pk_parcels PRIMARY KEY (shop, number))");
        database.execute("INSERT INTO parcels VALUES (0, 0, 'HELD')");
        for (int rows = 1; rows < ROWS; rows *= 2) {
            database.execute("INSERT INTO parcels SELECT MOD(number + " + rows + ", 16), number + " + rows
                    + ", status FROM parcels");
        }
        database.execute(kind.isH2() ? "ANALYZE" : kind.isMySql() ? "ANALYZE TABLE parcels" : "ANALYZE parcels");
    }
}
