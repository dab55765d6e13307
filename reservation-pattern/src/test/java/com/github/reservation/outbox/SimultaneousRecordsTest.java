// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.Attempt;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.outbox.Step.Taken;
import com.github.reservation.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A delivery that is recorded while another transaction is about to commit: nothing is left of its event. */
@SideBySide
class SimultaneousRecordsTest extends OnOutbox {

    private final Actor late = new Actor("late");
    private final AtomicReference<Future<?>> delivering = new AtomicReference<>();
    private OutboxStore store;
    private StoredEvent event;
    private boolean alone = true;

    /** Its first transaction lets the delivery be recorded right before it commits. */
    private OutboxStore other;

    @BeforeEach
    void appendAnEvent() throws StoreException {
        store = store(pool);
        other = store(proxy(DataSource.class,
                (proxy, method, arguments) -> call(pool, method, arguments) instanceof Connection connection
                        ? committingLate(connection)
                        : null));
        List<String> types = List.of(Taken.class.getName());
        store.register(new Listener(LISTENER, types));
        store.register(new Listener("gone", types));
        append("order-1", 1);
        int lane = store.dueLanes(new Listener(LISTENER, types)).getFirst();
        event = store.read(LISTENER, lane).getFirst();
    }

    private static OutboxStore store(DataSource dataSource) {
        return new JdbcOutbox(
                new SqlTable(dataSource, Optional.empty(), JdbcOutbox.DEFAULT_EVENTS, Duration.ofSeconds(5),
                        JdbcOutbox.DDL),
                Optional.empty());
    }

    private Connection committingLate(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("commit") && delivering.get() == null) {
                delivering.set(late.starts(() -> store.complete(LISTENER, List.of(event), alone)));
                awaitForAMoment(delivering.get());
            }
            return call(connection, method, arguments);
        });
    }

    /** It may have to wait for the commit. */
    private static void awaitForAMoment(Future<?> future) throws InterruptedException {
        for (int look = 0; look < 60 && !future.isDone(); look++) {
            Thread.sleep(Duration.ofMillis(5));
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void assertThatNothingIsLeft() {
        Actor.result(delivering.get());
        late.close();
        assertThat(rows()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void ofAnEventThatAForgottenListenerWanted() throws Exception {
        assertThat(other.forget("gone")).isTrue();
        assertThat(other.removeForgotten("gone", 0)).isEmpty();

        assertThatNothingIsLeft();
    }

    @Test
    void ofAnEventThatAnotherInstanceParks() throws Exception {
        store.forget("gone");
        alone = false;

        other.park(LISTENER, new Attempt(event, 10, "other"), "broken");

        assertThatNothingIsLeft();
    }
}
