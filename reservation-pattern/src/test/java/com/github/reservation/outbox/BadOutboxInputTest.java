// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.jdbc.Database;
import com.github.reservation.outbox.Step.Taken;
import java.time.Duration;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused before anything is sent: there is no database behind this outbox. */
class BadOutboxInputTest {

    private final OutboxBuilder builder = Outbox.jdbc(new JdbcDataSource()).codec(Step.CODEC);
    private final Outbox outbox = builder.build();

    @Test
    void numbersHaveLimits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.retryFor(Duration.ofSeconds(-1)))
                .withMessage("retryFor must be between PT0S and PT8760H, but is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.pageBytes(1_023))
                .withMessage("pageBytes must be between 1024 and 1073741824, but is 1023");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.largestEvent(0))
                .withMessageStartingWith("largestEvent must be between 1024 and");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.absentAfter(Duration.ofMinutes(59)))
                .withMessage("absentAfter must be between PT1H and PT87600H, but is PT59M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.forget("mailer", "two words"))
                .withMessage("type must have 1 to 200 letters, digits or characters _ . $ -, but is \"two words\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.workers(257))
                .withMessage("workers must be between 1 and 256, but is 257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.pollInterval(Duration.ZERO))
                .withMessage("pollInterval must be between PT0.01S and PT10M, but is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.leaseTime(Duration.ofSeconds(1)))
                .withMessage("leaseTime must be between PT5S and PT1H, but is PT1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.queryTimeout(Duration.ofMillis(1)))
                .withMessageContaining("queryTimeout must be between PT1S and PT1H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Outbox.jdbc(new JdbcDataSource())
                        .codec(Step.CODEC)
                        .leaseTime(Duration.ofSeconds(5))
                        .queryTimeout(Duration.ofSeconds(2))
                        .build())
                .withMessage("queryTimeout must not be longer than a third of leaseTime,"
                        + " but is PT2S and leaseTime is PT5S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.pauses(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageContaining("first must not be longer than longest");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxQuery.all().atMost(0))
                .withMessage("limit must be between 1 and 1000, but is 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "ä",
            "x23456789012345678901234567890123456789012345678901234567890123456789"})
    void anIdHasOneForm(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.subscribe(id, Taken.class, event -> {}))
                .withMessageContaining("id must have 1 to 64 letters, digits or characters _ . -, but is \"" + id);
    }

    @Test
    void twoListenersDoNotShareAnId() {
        outbox.subscribe("mailer", Taken.class, event -> {});

        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.subscribe("mailer", Step.class, event -> {}))
                .withMessage("id must be of one listener, but \"mailer\" is taken");
    }

    @Test
    void aTypeIsClosed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.subscribe("mailer", Runnable.class, event -> {}))
                .withMessageContaining("type must be a class or sealed, but java.lang.Runnable is abstract");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.subscribe("mailer", Object.class, event -> {}))
                .withMessageStartingWith("type must not be Object");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> outbox.subscribe("mailer", List.of(), OutboxStart.NEW_EVENTS, (event, delivery) -> {}))
                .withMessage("types must not be empty");
    }

    @Test
    void aMessageHasAKeyAndAnEvent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutboxMessage("", new Taken(1)))
                .withMessage("key must have 1 to 1089 characters, but has 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutboxMessage("x".repeat(1_090), new Taken(1)))
                .withMessageContaining("but has 1090");
        for (String key : List.of("a\0", "a\uD83D")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new OutboxMessage(key, new Taken(1)))
                    .withMessage("key must not contain NUL or half of a surrogate pair");
        }
        assertThatNullPointerException().isThrownBy(() -> new OutboxMessage("key", null))
                .withMessageContaining("event");
        assertThatNullPointerException().isThrownBy(() -> outbox.appendAll(null, List.of()));
    }

    @Test
    void onlyPostgreSqlNotifies() {
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.database(Database.MARIADB).notifications(new JdbcDataSource()).build())
                .withMessage("notifications need POSTGRESQL, but database is MARIADB");
        assertThatNullPointerException().isThrownBy(() -> builder.notifications(null))
                .withMessage("notifications must not be null");
    }

    @Test
    void aTableNameIsAnIdentifier() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.table("x; DROP TABLE y"));
    }
}
