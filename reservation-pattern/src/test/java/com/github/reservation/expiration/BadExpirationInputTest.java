// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused when it is set, with the argument, its value and the rule. */
class BadExpirationInputTest {

    private final TableExpirationSourceBuilder<PickupOrder> builder =
            TableExpirationSource.builder("orders", PickupOrder::read);

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "täglich", "a/b"})
    void aNameIsForMeters(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> TableExpirationSource.builder(name, PickupOrder::read))
                .withMessage("name must have 1 to 64 letters, digits or characters _ . -, but is \"" + name + '"');
    }

    @Test
    void nullIsNothing() {
        assertThatNullPointerException().isThrownBy(() -> TableExpirationSource.builder(null, PickupOrder::read))
                .withMessage("name must not be null");
        assertThatNullPointerException().isThrownBy(() -> TableExpirationSource.builder("orders", null))
                .withMessage("reader must not be null");
        assertThatNullPointerException().isThrownBy(() -> builder.dataSource(null))
                .withMessage("dataSource must not be null");
        assertThatNullPointerException().isThrownBy(() -> builder.status("status", null, "EXPIRED"))
                .withMessage("from must not be null");
        assertThatNullPointerException().isThrownBy(() -> builder.expireBatch(null))
                .withMessage("work must not be null");
        assertThatNullPointerException().isThrownBy(() -> ApplicationEvents.create().publish(null))
                .withMessage("event must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders; DROP TABLE orders", "a.b.c", "\"orders\""})
    void aTableIsAnIdentifier(String table) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.table(table)).withMessageContaining("tableName");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "order id", "id)", "1st"})
    void aColumnIsAnIdentifier(String column) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.expiresAt(column))
                .withMessage(
                        "column must be an identifier (letters, digits, _ and $, at most 128 characters), but is \""
                                + column + '"');
        assertThatIllegalArgumentException().isThrownBy(() -> builder.key("id", column));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.columns(column));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.version(column));
    }

    @Test
    void aKeyHasColumns() {
        assertThatIllegalArgumentException().isThrownBy(builder::key)
                .withMessage("key must have between 1 and 8 columns, but has 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESERVED", "reserved", "RESERVED ", "Reserved  "})
    void fromAndToDifferForEveryDatabase(String to) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.status("status", "RESERVED", to))
                .withMessage(
                        "from and to must differ by more than case and trailing blanks, which some databases ignore,"
                                + " but are \"RESERVED\" and \"" + to + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a'b", "a\\b", "a:b", "{a}", "?"})
    void aStatusIsPlain(String status) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.status("status", status, "EXPIRED"))
                .withMessageStartingWith("from must have 1 to 64 letters").withMessageEndingWith("\"" + status + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a = ?", "a = 1; DROP TABLE b", "a = 1)", "(a = 1", "a = 'b", "a = 1 -- b", "a = :b",
            "a::text = 'b'", "{a}", "a = 1 /* b", "a = 1 # b", ") OR (1 = 1", "a = 'b\\'"})
    void aConditionIsOneCondition(String condition) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.where(condition))
                .withMessageStartingWith("condition must");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order_type = 'RESERVE_PICKUP'", "a IN (1, 2) AND (b = 'x;y' OR c = '12:00:00')",
            "NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = t.order_id)", "a = 'it''s'"})
    void aConditionCanBeAnything(String condition) {
        assertThatCode(() -> builder.where(condition)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 5_001, 1_000_000})
    void aBatchHasALimit(int size) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.batchSize(size))
                .withMessage("batchSize must be between 1 and 5000, but is " + size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.099S", "PT1H0.001S"})
    void aTimeLimitHasLimits(Duration limit) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.timeLimit(limit))
                .withMessage("timeLimit must be between PT0.1S and PT1H, but is " + limit);
    }

    @Test
    void thereIsOneWork() {
        builder.expireRow((tx, order) -> {});

        assertThatIllegalStateException().isThrownBy(() -> builder.expireBatch((tx, batch) -> {}))
                .withMessage("A source has one work: expireBatch or expireRow, once");
    }

    @Test
    void whatIsRequiredIsNamed() {
        assertThatIllegalStateException().isThrownBy(builder::build).withMessage("status must be set before building");
        builder.status("status", "RESERVED", "EXPIRED");
        assertThatIllegalStateException().isThrownBy(builder::build).withMessage("table must be set before building");
        builder.table("orders");
        assertThatIllegalStateException().isThrownBy(builder::build).withMessage("key must be set before building");
        builder.key("id");
        assertThatIllegalStateException().isThrownBy(builder::build)
                .withMessage("expiresAt must be set before building");
        builder.expiresAt("ends");
        assertThatIllegalStateException().isThrownBy(builder::build)
                .withMessage("dataSource or transactor must be set before building");
        builder.transactor(new NoTransactor());
        assertThat(builder.build().name()).isEqualTo("orders");
    }

    private static final class NoTransactor implements Transactor {
        @Override
        public <T> T inTransaction(Work<T> work) {
            throw new AssertionError("Nothing is sent before the first run");
        }
    }

    @Test
    void aJobHasSources_eachWithANameOfItsOwn() {
        ExpirationSource source = source("claims");
        ExpirationJobBuilder job = ExpirationJob.builder();

        assertThatIllegalStateException().isThrownBy(job::build).withMessage("source must be set before building");
        job.source(source);
        assertThatIllegalArgumentException().isThrownBy(() -> job.source(source("claims")))
                .withMessage("Each source of a job needs a name of its own, but there are two of the name \"claims\"");
        job.build().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1M", "PT0.000999S", "P365DT1S"})
    void anIntervalHasLimits(Duration interval) {
        assertThatIllegalArgumentException().isThrownBy(() -> ExpirationJob.builder().source(source("a"), interval))
                .withMessage("interval must be between PT0.001S and PT8760H, but is " + interval);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableExpirationSource.builder("a", row -> row).interval(interval))
                .withMessage("interval must be between PT0.001S and PT8760H, but is " + interval);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "P365DT1S"})
    void theTimeoutOfACloseHasLimits(Duration timeout) {
        assertThatIllegalArgumentException().isThrownBy(() -> ExpirationJob.builder().closeTimeout(timeout))
                .withMessage("closeTimeout must be between PT0S and PT8760H, but is " + timeout);
    }

    private static ExpirationSource source(String name) {
        return new ExpirationSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void expire(ExpirationTally tally) {}

            @Override
            public Duration lag() {
                return Duration.ZERO;
            }
        };
    }
}
