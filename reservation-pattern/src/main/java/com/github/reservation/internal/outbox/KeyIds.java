// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.KeyDigest;

/** The digests by which stores know keys, and the lanes that keys share by them. */
public final class KeyIds {

    private static final int DIGITS = 32;
    private static final int HEX = 16;

    private KeyIds() {}

    /** Returns the digest of a key. */
    public static String of(String key) {
        return KeyDigest.of(key).substring(0, DIGITS);
    }

    /** Returns the lane that the key of a digest shares. */
    public static int laneOf(String keyId) {
        return Integer.parseInt(keyId.substring(0, 4), HEX) % OutboxStore.LANES;
    }
}
