// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.Claim;
import com.github.reservation.internal.sql.SqlStatement;
import java.time.Instant;
import java.util.function.Function;

/**
 * A statement that changes one claim and sets a time that the caller wants to know.
 *
 * @param column the column of that time
 * @param time the same in a claim that was read
 */
record ClaimUpdate(SqlStatement sql, String column, Function<Claim, Instant> time) {}
