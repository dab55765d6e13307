// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Passes events of the outbox on to the listeners of Spring. It starts after all other beans and ends before them, because listeners use
 * them; what is not delivered then waits for another instance, or for the next start of the application. An exception of a listener
 * reaches the outbox, which delivers the event again. An outbox that has ended does not start again.
 */
final class OutboxDelivery implements BackgroundStop, HealthDetail {

    private static final String PREFIX = "spring-";
    private static final int LONGEST_ID = 64;

    private final Outbox outbox;
    private final List<Class<?>> types;
    private volatile boolean running;
    private volatile boolean closed;

    /**
     * Subscribes to events of claims and the other types.
     *
     * @throws ReservationConfigurationException if an event cannot have such a type
     */
    OutboxDelivery(Outbox outbox, List<Class<?>> otherTypes, ApplicationEventPublisher events) {
        this.outbox = outbox;
        this.types = Stream.concat(Stream.of(ClaimEvent.class), otherTypes.stream()).toList();
        types.forEach(type -> subscribe(type, events));
    }

    private void subscribe(Class<?> type, ApplicationEventPublisher events) {
        try {
            outbox.subscribe(id(type), type, events::publishEvent);
        } catch (IllegalArgumentException e) {
            throw new ReservationConfigurationException(
                    "reservation.outbox.event-types contains " + type.getName() + ": " + e.getMessage() + '.',
                    "List classes of events, or sealed types, and each of them once.", e);
        }
    }

    /** Returns an id that is the same in all instances and fits into its column. */
    static String id(Class<?> type) {
        String name = PREFIX + type.getName().replace('$', '.');
        return name.length() <= LONGEST_ID ? name : PREFIX + digest(type.getName());
    }

    /** Returns half of the SHA-256, in hex: a JVM in FIPS mode has no MD5. */
    private static String digest(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }

    Outbox outbox() {
        return outbox;
    }

    /** Returns the types of events that are passed on. */
    List<Class<?>> types() {
        return types;
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
