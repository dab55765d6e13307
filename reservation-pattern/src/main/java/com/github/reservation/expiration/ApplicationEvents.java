// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.Registration;
import com.github.reservation.internal.expiration.LocalEvents;
import java.util.function.Consumer;

/**
 * Passes events to the listeners of their type. Events are your own types.
 *
 * <p>A source publishes an event after the commit of the transaction in which the row expired, and nothing after a rollback.
 * Delivery is at most once: if the process ends between commit and publication, the event is lost, and the row stays expired. So a
 * listener is for what may be lost, such as mails and statistics. What must happen belongs into the {@link BatchWork}, or goes through
 * an {@link com.github.reservation.outbox.Outbox}, which loses nothing.
 *
 * <p>A transaction of your own has no hook for its commit in plain JDBC. Call {@link #publish} after you have committed.
 */
public interface ApplicationEvents {

    /**
     * Calls all listeners of the event's type, one after another, on the calling thread. It returns when all of them have returned.
     * An exception of a listener affects neither the caller nor the other listeners. The first one is logged as a warning, with the class
     * of the listener. Further ones are logged at level DEBUG until a call of the listener has succeeded. The event is not logged.
     *
     * @throws NullPointerException if the event is null
     */
    void publish(Object event);

    /**
     * Registers a listener for events of a type and of its subtypes. A listener that is registered twice is called twice.
     *
     * <p>A job calls listeners on its own thread: a listener that blocks delays the job. Hand slow work over to another thread.
     *
     * @return a registration that removes the listener
     */
    <E> Registration on(Class<E> type, Consumer<? super E> listener);

    /** Returns a publisher for the listeners of this JVM. It is thread-safe. */
    static ApplicationEvents create() {
        return new LocalEvents();
    }
}
