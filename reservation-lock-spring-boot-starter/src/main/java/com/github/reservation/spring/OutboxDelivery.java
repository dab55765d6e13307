// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxStart;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Passes events of the outbox on to the listeners of Spring. It starts after all other beans and ends before them, because listeners use
 * them; what is not delivered then waits for another instance, or for the next start of the application. An exception of a listener
 * reaches the outbox, which delivers the event again. An outbox that has ended does not start again.
 *
 * <p>The outbox knows all methods as one listener, so that the events of a key arrive in order, whatever their types are. A method
 * whose annotation has an id is a listener of its own.
 */
final class OutboxDelivery implements SmartInitializingSingleton, BackgroundStop, HealthDetail {

    private static final Log LOG = LogFactory.getLog(OutboxDelivery.class);

    private final Outbox outbox;
    private final SpringListeners listeners;
    private final String listenerId;
    private final Set<SpringListener> warned = ConcurrentHashMap.newKeySet();
    private volatile Set<Class<?>> types = Set.of();
    private volatile boolean running;
    private volatile boolean closed;

    /**
     * Prepares the delivery.
     *
     * @param listenerId the id of all methods that have none
     */
    OutboxDelivery(Outbox outbox, SpringListeners listeners, String listenerId) {
        this.outbox = outbox;
        this.listeners = listeners;
        this.listenerId = listenerId;
    }

    /**
     * Subscribes to the types that listener methods name.
     *
     * @throws ReservationConfigurationException if the outbox refuses them
     */
    @Override
    public void afterSingletonsInstantiated() {
        Map<String, List<SpringListener>> byId =
                listeners.find().stream().collect(groupingBy(listener -> listener.id().orElse(listenerId)));
        Set<Class<?>> all = new HashSet<>();
        byId.forEach((id, group) -> {
            Set<Class<?>> wanted = new LinkedHashSet<>();
            group.forEach(listener -> listener.types().forEach(type -> addClasses(type, listener, wanted)));
            if (!wanted.isEmpty()) {
                subscribe(id, wanted, group);
                all.addAll(wanted);
            }
        });
        types = Set.copyOf(all);
    }

    /** Adds the classes of a type: an outbox knows only those that it was told. */
    private static void addClasses(Class<?> type, SpringListener listener, Set<Class<?>> classes) {
        if (!Modifier.isAbstract(type.getModifiers())) {
            classes.add(type);
        } else if (!type.isSealed()) {
            LOG.info(listener + " listens to " + type.getName()
                    + ", which is not sealed: from the outbox it receives only those of its classes that other methods"
                    + " name. Seal the type, or name its classes: @EventListener(classes = ...)");
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                addClasses(permitted, listener, classes);
            }
        }
    }

    private void subscribe(String id, Set<Class<?>> wanted, List<SpringListener> group) {
        try {
            outbox.subscribe(id, wanted, OutboxStart.NEW_EVENTS, (event, delivery) -> deliver(event, group));
        } catch (IllegalArgumentException e) {
            throw new ReservationConfigurationException(
                    "The outbox refuses the listener " + id + " for the methods " + group.stream()
                            .filter(listener -> !listener.types().isEmpty())
                            .map(SpringListener::toString)
                            .collect(joining(", ")) + ": " + e.getMessage() + '.',
                    "Correct reservation.outbox.listener-id, the id of the @EventListener, or the codec of the outbox.",
                    e);
        }
    }

    private void deliver(Object event, List<SpringListener> group) throws Exception {
        try {
            listeners.deliver(event, group).stream()
                    .filter(called -> called.goesOn() && warned.add(called))
                    .forEach(OutboxDelivery::warn);
        } catch (UndeclaredThrowableException e) { // Its message shows the event, and operators see messages.
            throw e.getUndeclaredThrowable() instanceof Exception thrown ? thrown : e;
        }
    }

    private static void warn(SpringListener listener) {
        LOG.warn(listener + " goes on after it has returned: the outbox does not see whether it fails, and does not"
                + " deliver the event again. Remove @Async, or wait for the future: the outbox has threads of its own.");
    }

    /** Returns whether a listener method wants events of this class. It is false before all singletons have been made. */
    boolean wants(Class<?> type) {
        return types.contains(type);
    }

    Outbox outbox() {
        return outbox;
    }

    @Override
    public String healthName() {
        return "outbox";
    }

    @Override
    public Optional<Map<String, Object>> health() {
        try {
            return Optional.of(details(outbox.backlog()));
        } catch (RuntimeException e) { // Its database need not be the store of the locks.
            return Optional.of(Map.of("failure", e.toString()));
        }
    }

    private static Map<String, Object> details(OutboxBacklog backlog) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("pending", backlog.pending());
        details.put("parked", backlog.parked());
        backlog.oldest().ifPresent(oldest -> details.put("oldest", oldest));
        return details;
    }

    @Override
    public void start() {
        if (!closed) {
            outbox.start();
            running = true;
        }
    }

    /** Waits for the listeners that are running. */
    @Override
    public void stop() {
        closed = true;
        outbox.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
