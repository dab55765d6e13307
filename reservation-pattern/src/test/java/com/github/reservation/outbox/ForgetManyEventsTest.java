// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Registration;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.expiration.EachConnection;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A listener that many events wait for is forgotten in small steps, because a statement has a time limit. */
@SideBySide
class ForgetManyEventsTest extends OnOutbox {

    private static final int EVENTS = 1_200;

    private final AtomicInteger mostRows = new AtomicInteger();
    private final AtomicInteger largestBatch = new AtomicInteger();

    private void register(String listener) {
        Registration registration = outbox.subscribe(listener, Taken.class, event -> {});
        outbox.deliverNow();
        registration.close();
    }

    private void appendMany() {
        transaction(connection -> outbox.appendAll(connection, IntStream.range(0, EVENTS)
                .mapToObj(number -> new OutboxMessage("order-" + number, new Taken(number)))
                .toList()));
    }

    /** Returns the same object, and notes how many rows a statement, or a batch of them, changes. */
    private <T> T noting(Class<T> type, Object real) {
        return EachConnection.proxy(type, (proxy, method, arguments) -> {
            Object result = EachConnection.call(method, real, arguments);
            return switch (result) {
                case Integer changed when method.getName().equals("getUpdateCount") -> {
                    mostRows.accumulateAndGet(changed, Math::max);
                    yield changed;
                }
                case int[] changed -> {
                    largestBatch.accumulateAndGet(changed.length, Math::max);
                    yield changed;
                }
                case PreparedStatement statement -> noting(PreparedStatement.class, statement);
                case Connection connection -> noting(Connection.class, connection);
                case null, default -> result;
            };
        });
    }

    private void forget(String listener) {
        assertThat(forgetting().forget(listener)).isTrue();
        assertSmallSteps();
    }

    private Outbox forgetting() {
        return build(Outbox.jdbc(noting(DataSource.class, pool)).codec(Step.CODEC));
    }

    private void forget(String listener, Class<?> type) {
        assertThat(forgetting().forget(listener, type.getName())).isTrue();
        assertSmallSteps();
    }

    /** MySQL's driver executes a batch one by one, and has one time limit for all of it. */
    private void assertSmallSteps() {
        assertThat(mostRows).hasPositiveValue().hasValueLessThanOrEqualTo(1_000);
        assertThat(largestBatch).hasPositiveValue().hasValueLessThanOrEqualTo(100);
    }

    @Test
    void whatWaitedForItIsRemoved() {
        register("gone");
        appendMany();

        forget("gone");

        assertThat(rows() + records()).isZero();
    }

    @Test
    void whatWaitsForOthersStays() {
        register("gone");
        register(LISTENER);
        appendMany();

        forget("gone");

        assertThat(rows()).isEqualTo(EVENTS);
        assertThat(outbox.listeners()).singleElement().satisfies(listener -> {
            assertThat(listener.id()).isEqualTo(LISTENER);
            assertThat(listener.pending()).isEqualTo(EVENTS);
        });
    }

    @Test
    void aTypeOfAListenerIsForgotten_alsoWhileTheListenerRuns() {
        outbox.subscribe(LISTENER, Step.class, this::note);
        outbox.deliverNow();
        appendMany();
        transaction(connection -> outbox.append(connection, "order-1", new Skipped(1)));

        forget(LISTENER, Taken.class);

        assertThat(outbox.listeners().getFirst().types()).containsOnlyKeys(Skipped.class.getName());
        assertThat(outbox.deliverNow()).isOne();
        assertThat(rows() + records()).isZero();
    }
}
