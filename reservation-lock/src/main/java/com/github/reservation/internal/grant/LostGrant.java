// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import java.util.OptionalLong;

/** What a listener receives. */
record LostGrant(String domain, String identifier, Thread thread, OptionalLong fencingToken,
        LossReason reason)
        implements LostReservation {}
