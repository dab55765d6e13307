// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A held reservation as the store sees it, for operators and tools. Immutable. Later versions may add methods.
 */
public interface ReservationInfo {

    /** Returns the identifier within the manager's domain. */
    String identifier();

    /** Returns the readable part of the holder's name: thread, host, process. */
    String holder();

    /** Returns when the reservation was acquired, by the store's clock. */
    Instant since();

    /** Returns the remaining lease time at the moment of the query, by the store's clock. */
    Duration remaining();

    /** Returns the fencing token of this hold, if the backend has tokens. */
    OptionalLong fencingToken();
}
