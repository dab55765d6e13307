// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A reservation as the store sees it, for people and tools that look after a system.
 *
 * @param holder the readable part of the holder's name (thread, host, process)
 * @param since when it was acquired, by the store's clock
 * @param remaining how long the lease still runs, by the store's clock
 * @param fencingToken the token of this hold, if the backend has them
 */
public record ReservationInfo(
        String identifier, String holder, Instant since, Duration remaining, OptionalLong fencingToken) {}
