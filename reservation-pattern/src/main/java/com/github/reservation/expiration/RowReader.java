// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.sql.ResultSet;

/**
 * Reads a row of a table. A row on which it throws, or for which it returns null, does not expire: it counts as failed.
 *
 * @param <T> what it makes of a row
 */
@FunctionalInterface
public interface RowReader<T> {

    /** Reads the current row by the names of its columns. It neither moves nor closes the result. */
    T read(ResultSet row) throws Exception;
}
