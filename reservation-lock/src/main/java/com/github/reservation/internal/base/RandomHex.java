// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Random texts that nobody can guess.
 *
 * <p>Each text is drawn when it is needed. One that was drawn ahead would be the same in all clones of a process that was
 * restored from one snapshot (CRaC, SnapStart). On Linux the JDK's generator reads from the kernel, and drops what it has
 * buffered after 100 ms.
 */
public final class RandomHex {

    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomHex() {}

    /** Returns random bytes in hex, two digits for each. */
    public static String of(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
