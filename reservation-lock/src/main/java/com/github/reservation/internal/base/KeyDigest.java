// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest of a key, for places where the key itself must not be read or would be too long. */
public final class KeyDigest {

    private KeyDigest() {}

    /** Returns SHA-256 of the key in UTF-8, in hex: 64 digits. */
    public static String of(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }
}
