// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;

/** A database whose clock differs from that of the JVM. */
public final class ShiftedClock {

    private ShiftedClock() {}

    /** Opens a PostgreSQL with an empty lock table. Its clock is another function of that name, which is found before the real one. */
    public static TestDatabase postgreSql(Path directory, Duration difference) {
        TestDatabase plain = Databases.POSTGRESQL.openNew(directory);
        plain.install();
        plain.execute("CREATE SCHEMA testclock");
        set(plain, difference);
        TestDatabase shifted = plain.with("options=-c%20search_path=testclock,public,pg_catalog");
        String seen = shifted.query(
                "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp() - pg_catalog.clock_timestamp()) AS BIGINT)");
        assertThat(Duration.ofSeconds(Long.parseLong(seen))).isCloseTo(difference, Duration.ofSeconds(1));
        return shifted;
    }

    /** Sets the clock, for all sessions at once. */
    public static void set(TestDatabase database, Duration difference) {
        for (String clock : new String[]{"clock_timestamp", "statement_timestamp"}) {
            database.execute("""
                    CREATE OR REPLACE FUNCTION testclock.%1$s() RETURNS TIMESTAMPTZ LANGUAGE SQL VOLATILE
                    AS 'SELECT pg_catalog.%1$s() + INTERVAL ''%2$d milliseconds'''
                    """.formatted(clock, difference.toMillis()));
        }
    }
}
