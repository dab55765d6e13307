// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How a call names a key: everybody who may connect to the database can hear it, and keys are nobody else's business. */
final class KeyDigest {

    private KeyDigest() {}

    /** Returns SHA-256 of the key in UTF-8, in hex, as {@link PostgreSqlDialect#call} makes it. */
    static String of(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }
}
