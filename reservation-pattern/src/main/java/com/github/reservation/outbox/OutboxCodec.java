// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

/**
 * Writes events as JSON text and reads them again. An implementation must be thread-safe.
 *
 * <p>Events may wait while the application is updated: a codec must read what an older version wrote.
 */
public interface OutboxCodec {

    /**
     * Returns the name under which events of a class are stored. Default: the name of the class. A name that does not change when the
     * class is renamed or moved is better. It has 1 to 200 letters, digits and characters {@code _ . $ -}.
     */
    default String nameOf(Class<?> type) {
        return type.getName();
    }

    /**
     * Writes an event.
     *
     * @throws Exception if it cannot be written; nothing is appended then
     */
    String encode(Object event) throws Exception;

    /**
     * Reads an event.
     *
     * @param type the class whose {@linkplain #nameOf name} was stored with the text
     * @throws Exception if it cannot be read; that counts as a failed attempt of the listener
     */
    <E> E decode(String json, Class<E> type) throws Exception;
}
