// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.store.StoreException;
import com.github.reservation.torture.planted.Passed;
import com.github.reservation.torture.planted.Planted;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A store of an outbox with one of the planted bugs in front of it. */
final class BrokenOutboxStore {

    private static final Duration TOO_SHORT = Duration.ofMillis(50);

    private final Planted bug;
    private final OutboxStore store;
    private final DataSource dataSource;

    private BrokenOutboxStore(Planted bug, OutboxStore store, DataSource dataSource) {
        this.bug = bug;
        this.store = store;
        this.dataSource = dataSource;
    }

    static OutboxStore with(Planted bug, OutboxStore store, DataSource dataSource) {
        BrokenOutboxStore broken = new BrokenOutboxStore(bug, store, dataSource);
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[]{OutboxStore.class},
                (proxy, method, arguments) -> broken.call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "append" -> append(method, arguments);
            case "read" -> read((OutboxStore.StoredPage) passed(method, arguments), (String) arguments[0]);
            case "open" -> {
                forgetIfItFailed((OutboxStore.KeyState) arguments[4], (String) arguments[0], arguments[3]);
                yield passed(method, arguments);
            }
            case "take" -> {
                arguments[3] = lease((Duration) arguments[3]);
                yield (Boolean) passed(method, arguments) || bug == Planted.OUTBOX_LANE_WITHOUT_LEASE;
            }
            case "takeKey" -> {
                arguments[3] = lease((Duration) arguments[3]);
                yield passed(method, arguments);
            }
            default -> passed(method, arguments);
        };
    }

    private Object passed(Method method, Object[] arguments) throws Throwable {
        return Passed.to(store, method, arguments);
    }

    @SuppressWarnings("unchecked")
    private Object append(Method method, Object[] arguments) throws Throwable {
        List<OutboxStore.NewEvent> events = (List<OutboxStore.NewEvent>) arguments[1];
        boolean loses = bug == Planted.OUTBOX_LOSES_AN_EVENT || bug == Planted.STOCK_EVENT_LOST;
        if (loses && ThreadLocalRandom.current().nextInt(20) == 0) {
            arguments[1] = events.subList(0, events.size() - 1);
            return events.size() == 1 ? Set.of() : passed(method, arguments);
        }
        return bug == Planted.OUTBOX_APPENDS_APART ? appendApart(events) : passed(method, arguments);
    }

    private Set<String> appendApart(List<OutboxStore.NewEvent> events) throws StoreException, SQLException {
        try (Connection apart = dataSource.getConnection()) {
            apart.setAutoCommit(false);
            Set<String> unwanted = store.append(apart, events);
            apart.commit();
            apart.setAutoCommit(true);
            return unwanted;
        }
    }

    private OutboxStore.StoredPage read(OutboxStore.StoredPage page, String listener) throws StoreException {
        if (bug == Planted.OUTBOX_REMOVES_BEFORE_IT_DELIVERS && !page.events().isEmpty()) {
            store.complete(listener, page.events());
        }
        return bug == Planted.OUTBOX_OUT_OF_ORDER
                ? new OutboxStore.StoredPage(page.events().reversed(), page.elsewhere(), page.mayHaveMore())
                : page;
    }

    @SuppressWarnings("unchecked")
    private void forgetIfItFailed(OutboxStore.KeyState state, String listener, Object events) throws StoreException {
        if (bug == Planted.OUTBOX_FORGETS_FAILURES && !state.underWay()) {
            store.complete(listener, List.of(((List<StoredEvent>) events).getFirst()));
        }
    }

    private Duration lease(Duration lease) {
        return bug == Planted.OUTBOX_LEASE_TOO_SHORT ? TOO_SHORT : lease;
    }
}
