// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** What a list of reservations says about one. */
record ListedReservation(
        String identifier, String holder, Instant since, Duration remaining, OptionalLong fencingToken)
        implements ReservationInfo {}
