// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.Claim;

/**
 * A claim as it is stored.
 *
 * @param claim as of now: one that is over is expired
 * @param token the secret of its owner
 */
public record StoredClaim(Claim claim, String token) {

    /** Does not show the token. */
    @Override
    public String toString() {
        return claim.toString();
    }
}
