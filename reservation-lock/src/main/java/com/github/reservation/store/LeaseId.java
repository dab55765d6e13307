// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.util.Objects;

/**
 * Names one acquisition of a key. Two leases are the same lease only if both parts are equal, character by character: a store must not
 * ignore case, accents or trailing blanks, as the collation of a database may do.
 *
 * @param key up to 512 bytes in UTF-8, of any characters but NUL and half surrogate pairs
 * @param holder up to 256 bytes in UTF-8, of any characters but NUL and half surrogate pairs. It is unique for each acquisition, so that a
 *     late call for one lease can never affect the next. Whoever knows it can release the lease: do not log it
 */
public record LeaseId(String key, String holder) {

    public LeaseId {
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(holder, "holder must not be null");
    }
}
