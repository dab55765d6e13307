// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.util.Objects;

/**
 * Proves that a caller owns a claim: 128 random bits that {@link Claims#reserve} draws and that only its caller gets. The id of a
 * claim is a digest of its key, so anyone can compute it; the token cannot be guessed.
 *
 * <p>Keep it where the claim's owner alone can read it, such as the session of the sign-up. Any text can be made a token again; one
 * that is not the current token of a claim proves nothing. Immutable.
 *
 * @param value the token as text
 */
public record ClaimToken(String value) {

    public ClaimToken {
        Objects.requireNonNull(value, "value must not be null");
    }

    /** Does not show the token, so that it does not get into a log. */
    @Override
    public String toString() {
        return "ClaimToken[…]";
    }
}
