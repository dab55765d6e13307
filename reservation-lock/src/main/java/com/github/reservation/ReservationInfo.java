// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A reservation as the store sees it, for people and tools that look after a system. Immutable; a later version may tell more
 * of it.
 */
public interface ReservationInfo {

    /** Returns the identifier within the manager's domain. */
    String identifier();

    /** Returns the readable part of the holder's name: thread, host, process. */
    String holder();

    /** Returns when it was acquired, by the store's clock. */
    Instant since();

    /** Returns how long the lease still ran when the store was asked, by the store's clock. */
    Duration remaining();

    /** Returns the token of this hold, if the backend has them. */
    OptionalLong fencingToken();
}
