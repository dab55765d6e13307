// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Writes down what is called on a data source, its connections and their statements. */
public final class RecordingDataSource {

    private final DataSource target;
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();

    private final AtomicReference<Interruption> next = new AtomicReference<>();

    private record Interruption(String statement, Runnable event) {}

    public RecordingDataSource(DataSource target) {
        this.target = target;
    }

    /** Lets something happen once, right before a statement is sent that has the text in it. */
    public void beforeNext(String statement, Runnable event) {
        next.set(new Interruption(statement, event));
    }

    public DataSource dataSource() {
        return recording(DataSource.class, target);
    }

    /** Forgets what was called so far. */
    public void clear() {
        calls.clear();
    }

    /** Returns the calls on connections, with their arguments if these are plain. */
    public List<String> onConnections() {
        return on(Connection.class);
    }

    /** Returns the calls that had a statement executed. */
    public List<String> executions() {
        return on(PreparedStatement.class).stream().filter(call -> call.startsWith("execute")).toList();
    }

    /** Returns how many statements were executed on each connection that was taken; the last one may still be in use. */
    List<Integer> executionsPerConnection() {
        List<Integer> counts = new ArrayList<>();
        for (String call : calls) {
            if (call.startsWith("DataSource.")) {
                counts.add(0);
            } else if (call.startsWith("PreparedStatement.execute")) {
                counts.add(counts.removeLast() + 1);
            }
        }
        return counts;
    }

    List<String> onStatements() {
        return on(PreparedStatement.class);
    }

    /** Returns how many connections were taken. */
    public int taken() {
        return on(DataSource.class).size();
    }

    /** Returns how many connections are taken and not given back. */
    public int open() {
        return open.get();
    }

    /** Returns how many were open at once at most, ever. */
    int mostOpen() {
        return mostOpen.get();
    }

    private List<String> on(Class<?> type) {
        String prefix = type.getSimpleName() + ".";
        return calls.stream()
                .filter(call -> call.startsWith(prefix))
                .map(call -> call.substring(prefix.length()))
                .toList();
    }

    private <T> T recording(Class<T> type, T recorded) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[]{type}, (proxy, method, arguments) -> {
                    calls.add(type.getSimpleName() + "." + written(method, arguments));
                    if (method.getName().equals("prepareStatement")) {
                        interrupt((String) arguments[0]);
                    }
                    if (recorded instanceof Connection && method.getName().equals("close")) {
                        open.decrementAndGet();
                    }
                    return wrapped(invoked(recorded, method, arguments));
                }));
    }

    private void interrupt(String statement) {
        Interruption planned = next.get();
        if (planned != null && statement.contains(planned.statement) && next.compareAndSet(planned, null)) {
            planned.event.run();
        }
    }

    private static String written(Method method, Object[] arguments) {
        if (arguments == null || !method.getName().equals("setAutoCommit")) {
            return method.getName();
        }
        return Arrays.stream(arguments).map(String::valueOf)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    private static Object invoked(Object recorded, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(recorded, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object wrapped(Object result) {
        if (result instanceof Connection connection) {
            mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
            return recording(Connection.class, connection);
        }
        return result instanceof PreparedStatement statement ? recording(PreparedStatement.class, statement) : result;
    }
}
