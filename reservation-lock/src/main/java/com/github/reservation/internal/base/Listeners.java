// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The listeners for one kind of event. Each is called under the rule of its {@link Guard}: what it throws reaches neither the caller nor
 * another listener.
 *
 * @param <E> the event
 */
public final class Listeners<E> {

    /** One registration: a listener that is registered twice has two. */
    private static final class Entry<E> {

        private final Consumer<? super E> deliver;
        private final Runnable close;

        Entry(Consumer<? super E> deliver, Runnable close) {
            this.deliver = deliver;
            this.close = close;
        }
    }

    private final List<Entry<E>> entries = new CopyOnWriteArrayList<>();
    private final BiFunction<Guard, Consumer<? super E>, Entry<E>> register;

    private Listeners(BiFunction<Guard, Consumer<? super E>, Entry<E>> register) {
        this.register = register;
    }

    /** Returns listeners that are called one after another, on the thread that reports an event. */
    public static <E> Listeners<E> onThisThread() {
        return new Listeners<>(
                (guard, call) -> new Entry<>(event -> guard.run(() -> call.accept(event)), () -> {}));
    }

    /** Returns listeners that are called on other threads, see {@link ListenerCalls}. */
    public static <E> Listeners<E> onOtherThreads(Ticker ticker, int mostThreads, int mostPending) {
        return new Listeners<>((guard, call) -> {
            ListenerCalls<E> calls = new ListenerCalls<>(ticker, guard, call, mostThreads, mostPending);
            return new Entry<>(calls::call, calls::close);
        });
    }

    /** Adds a listener, which takes an event with {@code call}, until the result is closed. */
    public Registration add(Object listener, Consumer<? super E> call) {
        Entry<E> added = register.apply(Guard.of(listener), call);
        entries.add(added);
        return () -> {
            entries.remove(added);
            added.close.run();
        };
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Reports the event to all listeners; throws nothing. */
    public void report(E event) {
        for (Entry<E> one : entries) {
            one.deliver.accept(event);
        }
    }
}
