// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Stands in front of a real driver and fails at the steps that a test has scripted. */
public final class ScriptedDriver {

    /** Where a driver can fail. */
    public enum Step {
        CONNECT, LOOK_AT_AUTO_COMMIT, PREPARE,
        /** The statement does not reach the database. */
        SEND,
        /** The statement took effect, and its reply is lost. */
        REPLY,
        /** The commit does not reach the database. */
        COMMIT,
        /** The commit took effect, and its reply is lost. */
        COMMIT_REPLY, CLOSE
    }

    /** In a script, for a time that does not fail. */
    private static final Throwable PASS = new Throwable("Does not fail");

    private final DataSource real;
    private final Map<Step, ConcurrentLinkedDeque<Throwable>> scripts = new EnumMap<>(Step.class);
    private final Map<Step, Supplier<? extends Throwable>> always = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean countsBatches = new AtomicBoolean(true);

    public ScriptedDriver(DataSource real) {
        this.real = real;
        for (Step step : Step.values()) {
            scripts.put(step, new ConcurrentLinkedDeque<>());
        }
    }

    /** Lets the next time at the step fail; more than once adds up. */
    public void failNext(Step step, Throwable failure) {
        scripts.get(step).add(failure);
    }

    /** Lets the step be passed that often, and then fail. */
    public void failAfter(int passes, Step step, Throwable failure) {
        for (int i = 0; i < passes; i++) {
            failNext(step, PASS);
        }
        failNext(step, failure);
    }

    /** Lets each time at the step fail. */
    public void fail(Step step, Supplier<? extends Throwable> failure) {
        always.put(step, failure);
    }

    /** Says of each statement of a batch that it was executed, but not how many rows it changed. */
    public void countNoBatches() {
        countsBatches.set(false);
    }

    public void heal() {
        always.clear();
        scripts.values().forEach(ConcurrentLinkedDeque::clear);
    }

    /** Returns whether all that was scripted once has happened. */
    public boolean isPlayed() {
        return scripts.values().stream().allMatch(ConcurrentLinkedDeque::isEmpty);
    }

    /** Returns how many connections have not been given back. */
    public int open() {
        return open.get();
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, args) -> {
            if (!method.getName().equals("getConnection")) {
                return invoke(real, method, args);
            }
            play(Step.CONNECT);
            Connection connection = (Connection) invoke(real, method, args);
            open.incrementAndGet();
            return connection(connection);
        });
    }

    private Connection connection(Connection connection) {
        return proxy(Connection.class, (proxy, method, args) -> {
            switch (method.getName()) {
                case "getAutoCommit" -> play(Step.LOOK_AT_AUTO_COMMIT);
                case "prepareStatement" -> {
                    play(Step.PREPARE);
                    return statement((PreparedStatement) invoke(connection, method, args));
                }
                case "commit" -> {
                    play(Step.COMMIT);
                    connection.commit();
                    play(Step.COMMIT_REPLY);
                    return null;
                }
                case "close" -> {
                    connection.close();
                    open.decrementAndGet();
                    play(Step.CLOSE);
                    return null;
                }
                default -> {
                    // As the driver does it.
                }
            }
            return invoke(connection, method, args);
        });
    }

    private PreparedStatement statement(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, args) -> {
            if (!method.getName().startsWith("execute")) {
                return invoke(statement, method, args);
            }
            play(Step.SEND);
            Object answer = invoke(statement, method, args);
            play(Step.REPLY);
            if (answer instanceof int[] counts && !countsBatches.get()) {
                Arrays.fill(counts, Statement.SUCCESS_NO_INFO);
            }
            return answer;
        });
    }

    private void play(Step step) throws Throwable {
        Throwable next = scripts.get(step).poll();
        Supplier<? extends Throwable> lasting = always.get(step);
        if (next == PASS) {
            return;
        }
        if (next != null) {
            throw next;
        }
        Throwable failure = lasting == null ? null : lasting.get();
        if (failure != null) {
            throw failure;
        }
    }

    private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
