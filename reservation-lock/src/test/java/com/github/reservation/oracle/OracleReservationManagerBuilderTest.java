// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.ReservationManager;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the builder takes and what it refuses; it asks the database nothing. */
class OracleReservationManagerBuilderTest {

    private final OracleReservationManagerBuilder builder = ReservationManager.oracle(new HikariDataSource());

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> ReservationManager.oracle(null))
                .withMessage("dataSource must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.tableName(null))
                .withMessage("tableName must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.lockingStrategy(null))
                .withMessage("lockingStrategy must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.pollInterval(null))
                .withMessage("pollInterval must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.maxPollInterval(null))
                .withMessage("maxPollInterval must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "locks; DROP TABLE users", "a.b.c", "\"locks\""})
    void aTableNameIsMadeOfIdentifiers(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.tableName(name))
                .withMessageStartingWith("tableName must");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0001S", "PT1H0.001S"})
    void aPauseIsBetweenAMillisecondAndAnHour(String pause) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.pollInterval(Duration.parse(pause)))
                .withMessageStartingWith("pollInterval must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxPollInterval(Duration.parse(pause)))
                .withMessageStartingWith("maxPollInterval must be");
    }

    @Test
    void theWholeIsCheckedAtTheEnd() {
        assertThatIllegalStateException()
                .isThrownBy(builder::build)
                .withMessage("domain must be set before building");
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.domain("orders").pollInterval(Duration.ofSeconds(3)).build())
                .withMessage("pollInterval must not be longer than maxPollInterval, but is PT3S and PT2S");
    }

    @Test
    void aLeaseThatAStatementMayOutlastIsWarnedOf() {
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            builder.domain("orders").leaseTime(Duration.ofSeconds(6)).build().close();
            assertThat(warnings.texts()).isEmpty();

            builder.leaseTime(Duration.ofSeconds(5)).build().close();
            assertThat(warnings.texts()).singleElement().asString().contains("leaseTime PT5S of domain orders");
        }
    }

    @Test
    void nothingIsAskedBeforeTheFirstLock() {
        try (ReservationManager manager = builder.domain("orders")
                .leaseTime(Duration.ofMinutes(2))
                .tableName("app.MY_LOCKS")
                .pollInterval(Duration.ofMillis(10))
                .maxPollInterval(Duration.ofMillis(10))
                .build()) {
            assertThat(manager.getDomain()).isEqualTo("orders");
            assertThat(manager.getLeaseTime()).isEqualTo(Duration.ofMinutes(2));
            assertThat(manager.getReservation("42").getReservationKey()).isEqualTo("orders::42");
        }
    }
}
