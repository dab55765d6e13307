// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.lang.System.Logger.Level;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The log of the library. Whatever a logger throws ends here: it must not come between a lock and its unlock. */
public final class Log {

    private static final System.Logger LOGGER = System.getLogger("com.github.reservation");

    private Log() {}

    /** Something that an operator should act on. */
    public static void warn(String message, @Nullable Throwable cause) {
        log(Level.WARNING, message, cause);
    }

    public static void info(String message) {
        log(Level.INFO, message, null);
    }

    public static void debug(String message, @Nullable Throwable cause) {
        log(Level.DEBUG, message, cause);
    }

    /**
     * Returns the text with its control characters and line breaks escaped as in Java. A key may contain any character: without this, whoever
     * chooses a key could forge lines of the log.
     */
    public static String oneLine(String text) {
        return text.chars().noneMatch(Log::isControl)
                ? text
                : text.chars()
                        .mapToObj(c -> isControl(c) ? String.format("\\u%04x", c) : Character.toString(c))
                        .collect(Collectors.joining());
    }

    private static boolean isControl(int c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }

    private static void log(Level level, String message, @Nullable Throwable cause) {
        try {
            LOGGER.log(level, oneLine(message), cause);
        } catch (Throwable unloggable) {
            // There is nowhere left to say it.
        }
    }
}
