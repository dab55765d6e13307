// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store of events says of a transaction that fails. The builder was not told which database it is. */
class OutboxFailureKindsTest extends OnOutbox {

    private static final SQLException BROKEN = new SQLException("The connection broke", "08006");

    private ScriptedDriver driver;
    private OutboxStore store;

    @BeforeEach
    void standBefore() throws StoreException {
        driver = new ScriptedDriver(pool);
        store = new JdbcOutbox(
                new SqlTable(
                        driver.dataSource(),
                        Optional.empty(),
                        JdbcOutbox.DEFAULT_EVENTS,
                        Duration.ofSeconds(5),
                        JdbcOutbox.DDL),
                Optional.empty());
        store.listeners(); // The first use checks the tables.
    }

    private Kind kindOfFailure() {
        Kind kind =
                catchThrowableOfType(StoreException.class, () -> store.discard(List.of(1L), Optional.empty())).kind();
        assertThat(driver.isPlayed()).isTrue();
        assertThat(driver.open()).isZero();
        return kind;
    }

    @Test
    void withoutAConnection_theDatabaseIsUnavailable() {
        driver.failNext(Step.CONNECT, new SQLException("No answer", "08001"));

        assertThat(kindOfFailure()).isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void aWrongPasswordIsAMisconfiguration() {
        driver.failNext(Step.CONNECT, new SQLException("Wrong password", "28000"));

        assertThat(kindOfFailure()).isEqualTo(Kind.MISCONFIGURED);
    }

    @Test
    void beforeTheCommit_nothingIsDone() {
        driver.failNext(Step.REPLY, BROKEN);

        assertThat(kindOfFailure()).isEqualTo(Kind.CONTENTION);
    }

    @Test
    void afterTheCommitWasSent_theOutcomeIsUnknown() {
        driver.failNext(Step.COMMIT_REPLY, BROKEN);

        assertThat(kindOfFailure()).isEqualTo(Kind.OUTCOME_UNKNOWN);
    }
}
