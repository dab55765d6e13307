// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Limits;
import com.github.reservation.outbox.OutboxCodec;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The classes of events that a listener wants, by the names under which they are stored. The set is closed, so that any instance can
 * tell who wants an event, and so that no name from the database chooses a class.
 */
public final class EventTypes {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.$-]{1,200}");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private EventTypes() {}

    /**
     * Checks the id of a listener.
     *
     * @throws IllegalArgumentException if it breaks its rule
     */
    public static String requireId(String id) {
        return Limits.matching("id", id, ID, "have 1 to 64 letters, digits or characters _ . -");
    }

    /**
     * Checks the name of a type.
     *
     * @throws IllegalArgumentException if it breaks its rule
     */
    public static String requireName(String name) {
        return Limits.matching("type", name, NAME, "have 1 to 200 letters, digits or characters _ . $ -");
    }

    /**
     * Returns the name of a class.
     *
     * @throws IllegalArgumentException if the codec returns a name that breaks the rule
     */
    static String nameOf(Class<?> type, OutboxCodec codec) {
        String name = codec.nameOf(type);
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The codec must name " + type
                    + " with 1 to 200 letters, digits or characters _ . $ -, but returned \"" + name + '"');
        }
        return name;
    }

    /**
     * Returns the classes of types: each itself, or what it permits.
     *
     * @throws IllegalArgumentException if there is none, or if the set is not closed
     */
    static <E> Map<String, Class<? extends E>> of(
            Collection<? extends Class<? extends E>> types, OutboxCodec codec) {
        if (types.isEmpty()) {
            throw new IllegalArgumentException("types must not be empty");
        }
        Map<String, Class<? extends E>> classes = new LinkedHashMap<>();
        types.forEach(type -> add(type, type, codec, classes));
        return classes;
    }

    private static <E> void add(
            Class<?> type, Class<? extends E> wanted, OutboxCodec codec, Map<String, Class<? extends E>> classes) {
        if (type == Object.class) {
            throw new IllegalArgumentException("type must not be Object: a listener of a class does not receive its"
                    + " subclasses, so this one would receive nothing");
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            Class<? extends E> concrete = type.asSubclass(wanted);
            Class<?> other = classes.putIfAbsent(nameOf(type, codec), concrete);
            if (other != null && other != concrete) {
                throw new IllegalArgumentException("The codec must not give " + other.getName() + " and "
                        + type.getName() + " the same name");
            }
        } else if (!type.isSealed()) {
            throw new IllegalArgumentException("type must be a class or sealed, but " + type.getName()
                    + " is abstract and not sealed: subscribe to its classes one by one");
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                add(permitted, wanted, codec, classes);
            }
        }
    }
}
