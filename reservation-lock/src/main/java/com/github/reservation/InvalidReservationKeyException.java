// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Says that a domain or an identifier breaks the rules for keys.
 *
 * <p>The rules are the same on every backend: neither part is empty or contains {@code ::}, NUL or half of a surrogate
 * pair, a domain does not end in {@code :}, and {@code domain::identifier} has at most 512 bytes in UTF-8. Everything
 * else is allowed and significant: case, accents, blanks at the end, emoji.
 */
public class InvalidReservationKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public InvalidReservationKeyException(String message) {
        super(message);
    }
}
