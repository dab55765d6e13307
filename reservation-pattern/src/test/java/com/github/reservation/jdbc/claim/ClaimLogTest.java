// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.jdbc.lock.Databases;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The log shows ids and types, never a value or a token, at any level. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
class ClaimLogTest extends OnClaimTable {

    private static final String SECRET = "mallory@example.com";
    private static final Logger LOGGER = Logger.getLogger("com.github.reservation");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            StringWriter text = new StringWriter();
            text.append(logged.getMessage());
            if (logged.getThrown() != null) {
                logged.getThrown().printStackTrace(new PrintWriter(text));
            }
            lines.add(text.toString());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void logAll() {
        LOGGER.setLevel(Level.ALL);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void logAsBefore() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(null);
    }

    @Test
    void noLineShowsAValueOrAToken() {
        try (Claims claims = claims()) {
            claims.onEvent(event -> {
                throw new IllegalStateException("Scripted");
            });
            ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", SECRET, LONG);
            claims.reserve("email", SECRET, LONG);
            claims.confirm(reserved.reservationId(), reserved.token(), "1");
            database.execute("DROP TABLE RESERVATION_CLAIMS");
            assertThatThrownBy(() -> claims.reserve("email", SECRET, LONG)).isInstanceOf(ReservationException.class);

            assertThat(lines).anyMatch(line -> line.contains("Listener " + ClaimLogTest.class.getName()));
            assertThat(lines).noneMatch(line -> line.contains(SECRET) || line.contains(reserved.token().value()));
        }
    }
}
