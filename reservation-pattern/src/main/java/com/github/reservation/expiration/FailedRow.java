// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.util.Objects;

/**
 * A row that could not expire. It keeps its status, and a later run tries it again.
 *
 * @param row the values of its key columns
 * @param attempts how many runs of this instance failed on it, one after another
 * @param cause what its work threw
 */
public record FailedRow(String row, int attempts, Throwable cause) {

    public FailedRow {
        Objects.requireNonNull(row, "row must not be null");
        Objects.requireNonNull(cause, "cause must not be null");
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, but is " + attempts);
        }
    }
}
