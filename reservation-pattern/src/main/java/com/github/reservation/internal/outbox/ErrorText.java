// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import org.jspecify.annotations.Nullable;

/**
 * What a listener threw, as a text that every database stores. The text is made by the caller's code: it may be missing, contain what a
 * database refuses, or fail to be made.
 */
final class ErrorText {

    /** In code points, each of which has at most four bytes in a column of 1,000. */
    private static final int LONGEST = 250;

    private ErrorText() {}

    static String of(Throwable thrown) {
        String text = said(thrown);
        return (text == null || text.isBlank() ? thrown.getClass().getName() : text)
                .codePoints()
                .limit(LONGEST)
                .map(ErrorText::storable)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static @Nullable String said(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            return null;
        }
    }

    private static int storable(int codePoint) {
        return Character.isISOControl(codePoint)
                ? ' '
                : Character.getType(codePoint) == Character.SURROGATE ? '?' : codePoint;
    }
}
