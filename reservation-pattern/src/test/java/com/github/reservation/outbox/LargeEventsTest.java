// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.expiration.EachConnection;
import com.github.reservation.outbox.Step.Large;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Events of more bytes together than fit into the memory. */
@SideBySide
class LargeEventsTest extends OnOutbox {

    private static final int MEGABYTE = 1024 * 1024;
    private static final int BUDGET = 4 * MEGABYTE;

    /** The sizes of the payloads that a statement has returned, for each that has returned any. */
    private final List<List<Integer>> pages = new CopyOnWriteArrayList<>();

    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    /** Returns the same object, and notes which payloads are read. */
    private <T> T noting(Class<T> type, Object real) {
        List<Integer> page = new CopyOnWriteArrayList<>();
        return EachConnection.proxy(type, (proxy, method, arguments) -> {
            Object result = EachConnection.call(method, real, arguments);
            if (result instanceof String text && "payload".equals(arguments[0])) {
                if (page.isEmpty()) {
                    pages.add(page);
                }
                page.add(text.length());
            }
            return switch (result) {
                case ResultSet rows -> noting(ResultSet.class, rows);
                case PreparedStatement statement -> noting(PreparedStatement.class, statement);
                case Connection connection -> noting(Connection.class, connection);
                case null, default -> result;
            };
        });
    }

    private void deliver(List<Integer> payloads) {
        outbox = build(Outbox.jdbc(noting(DataSource.class, pool))
                .codec(Step.CODEC)
                .leaseTime(Duration.ofSeconds(60))
                .pageBytes(BUDGET));
        outbox.subscribe(LISTENER, Large.class, event -> sizes.add(event.number()));
        payloads.forEach(size -> transaction(connection -> outbox.append(connection, "order-1", new Large(size))));

        assertThat(outbox.deliverNow()).isEqualTo(payloads.size());

        assertThat(sizes).containsExactlyElementsOf(payloads);
        assertThat(rows() + records()).isZero();
    }

    private static int sum(List<Integer> page) {
        return page.stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void noPageHasMoreThanItsBudget() {
        deliver(IntStream.range(0, 100).mapToObj(i -> MEGABYTE + i * 37 % 100 * 10_000).toList());

        assertThat(pages).allSatisfy(page -> assertThat(sum(page)).isBetween(MEGABYTE, BUDGET));
        assertThat(pages.stream().mapToInt(List::size).average().orElseThrow()).as("events in a page").isGreaterThan(2);
    }

    @Test
    void oneThatIsLargerArrivesAlone_inItsPlace() {
        List<Integer> payloads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            payloads.addAll(List.of(100 + i, 5 * MEGABYTE + i, 6 * MEGABYTE + i, 200 + i, 300 + i));
        }
        deliver(payloads);

        assertThat(pages).allSatisfy(page -> assertThat(page.size() == 1 || sum(page) <= BUDGET).isTrue());
        assertThat(pages).filteredOn(page -> sum(page) > BUDGET)
                .extracting(List::getFirst)
                .as("a page that a turn has no time for is read again")
                .containsOnlyElementsOf(payloads.stream().filter(size -> size > BUDGET).toList());
    }
}
