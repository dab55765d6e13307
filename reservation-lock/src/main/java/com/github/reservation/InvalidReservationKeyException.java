// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Thrown if a domain or an identifier breaks the rules for keys.
 *
 * <p>The rules are the same on every backend. Neither part may be empty or contain {@code ::}, NUL or half of a surrogate pair. A
 * domain must not end with {@code :}. {@code domain::identifier} has at most 512 bytes in UTF-8. Everything else is allowed and
 * significant: case, accents, trailing blanks, emoji.
 */
public class InvalidReservationKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public InvalidReservationKeyException(String message) {
        super(message);
    }
}
