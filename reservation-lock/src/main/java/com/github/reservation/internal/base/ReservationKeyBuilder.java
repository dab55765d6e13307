// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.InvalidReservationKeyException;
import org.jspecify.annotations.Nullable;

/**
 * Builds the keys {@code domain::identifier} of one domain and knows what may stand in them. Because a domain neither
 * contains {@code ::} nor ends in {@code :}, the first {@code ::} of a key always splits it: no two pairs share a key.
 */
public final class ReservationKeyBuilder {

    public static final String DELIMITER = "::";
    public static final int MAX_KEY_BYTES = 512;
    private static final int MAX_HOLDER_BYTES = 256;

    private final String domain;
    private final String prefix;
    private final int prefixBytes;

    public ReservationKeyBuilder(String domain) {
        requireValidDomain(domain);
        this.domain = domain;
        this.prefix = domain + DELIMITER;
        this.prefixBytes = utf8Length(prefix);
    }

    public String domain() {
        return domain;
    }

    /** Returns what all keys of the domain start with. */
    public String prefix() {
        return prefix;
    }

    /** Returns the key if the identifier is valid and the key is not too long; errors name the argument. */
    public String build(String argument, @Nullable String identifier) {
        if (identifier == null) {
            throw new InvalidReservationKeyException(argument + " must not be null");
        }
        int bytes = prefixBytes + requireValid(argument, identifier);
        if (bytes > MAX_KEY_BYTES) {
            throw new InvalidReservationKeyException(argument + " is too long: domain::" + argument + " has " + bytes
                    + " bytes in UTF-8, at most " + MAX_KEY_BYTES + " are allowed: " + shown(identifier));
        }
        return prefix + identifier;
    }

    /** Returns the name of a holder if it can be one. */
    public static String requireValidHolder(String argument, @Nullable String holder) {
        return requireStorable(argument, holder, MAX_HOLDER_BYTES);
    }

    /** Returns a text if every store can keep it as it is. */
    public static String requireStorable(String argument, @Nullable String text, int mostBytes) {
        if (text == null) {
            throw new NullPointerException(argument + " must not be null");
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException(argument + " must not be empty");
        }
        int bytes = utf8Length(text);
        if (bytes < 0 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    argument + " must not contain NUL or half of a surrogate pair, but is " + shown(text));
        }
        if (bytes > mostBytes) {
            throw new IllegalArgumentException(argument + " is too long: it has " + bytes + " bytes in UTF-8, at most "
                    + mostBytes + " are allowed: " + shown(text));
        }
        return text;
    }

    /** Checks what can be said of a domain without an identifier. */
    public static void requireValidDomain(String domain) {
        int bytes = requireValid("domain", domain) + DELIMITER.length();
        if (domain.endsWith(":")) {
            throw new InvalidReservationKeyException("domain must not end in ':', but is " + shown(domain));
        }
        if (bytes >= MAX_KEY_BYTES) {
            throw new InvalidReservationKeyException("domain is too long: with '::' it has " + bytes
                    + " bytes in UTF-8, but a whole key has at most " + MAX_KEY_BYTES + ": " + shown(domain));
        }
    }

    /** Returns the length in UTF-8. */
    private static int requireValid(String name, String text) {
        if (text.isEmpty()) {
            throw new InvalidReservationKeyException(name + " must not be empty");
        }
        if (text.contains(DELIMITER)) {
            throw new InvalidReservationKeyException(name + " must not contain '::', but is " + shown(text));
        }
        if (text.indexOf('\0') >= 0) {
            throw new InvalidReservationKeyException(name + " must not contain NUL, but is " + shown(text));
        }
        int bytes = utf8Length(text);
        if (bytes < 0) {
            throw new InvalidReservationKeyException(
                    name + " must not contain half of a surrogate pair, but is " + shown(text));
        }
        return bytes;
    }

    /** Returns the length in UTF-8, or -1 if a surrogate stands alone and the text cannot be encoded. */
    private static int utf8Length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return -1;
            }
        }
        return bytes;
    }

    private static String shown(String text) {
        String cut = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return '"' + cut.replace("\0", "\\0") + '"';
    }
}
