// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.Claim;
import java.util.Objects;

/**
 * A claim as it is stored.
 *
 * @param claim as of now, by the store's clock: one that is over is {@link com.github.reservation.claim.ClaimStatus#EXPIRED}
 * @param token the secret of its owner
 */
public record StoredClaim(Claim claim, String token) {

    public StoredClaim {
        Objects.requireNonNull(claim, "claim must not be null");
        Objects.requireNonNull(token, "token must not be null");
    }

    /** Does not show the token. */
    @Override
    public String toString() {
        return claim.toString();
    }
}
