// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Ticker;
import com.github.reservation.memory.ManualTicker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * H2 in its Oracle mode, in a time of its own. H2 gets its clock from a function here: so a test moves time by hand, for the
 * database and for the managers alike.
 */
public final class OracleModeBackend extends JdbcBackend {

    private final ManualTicker ticker = new ManualTicker();
    private final String name;

    OracleModeBackend() {
        this(UUID.randomUUID().toString().toUpperCase());
    }

    private OracleModeBackend(String name) {
        super("jdbc:oracle-mode:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "", "oracle");
        this.name = name;
        Clock.CLOCKS.put(name, new Clock(ticker));
        execute(dataSource(), "DROP ALIAS SYS_EXTRACT_UTC");
        execute(dataSource(), "CREATE ALIAS SYS_EXTRACT_UTC FOR '" + Clock.class.getName() + ".utc'");
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public void close() {
        super.close();
        Clock.CLOCKS.remove(name);
    }

    /** What {@code SYS_EXTRACT_UTC(SYSTIMESTAMP)} calls: the same time for all of a statement, in whole microseconds. */
    public static final class Clock {

        private static final Map<String, Clock> CLOCKS = new ConcurrentHashMap<>();

        private final Ticker ticker;
        private final LocalDateTime start = LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);

        private Clock(Ticker ticker) {
            this.ticker = ticker;
        }

        public static LocalDateTime utc(Connection connection, OffsetDateTime ignored) throws SQLException {
            Clock clock = CLOCKS.get(connection.getCatalog());
            return clock.start.plusNanos(clock.ticker.nanos() / 1_000 * 1_000);
        }
    }
}
