// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.util.OptionalLong;

/** Something that happened to a reservation or a lock, see {@link ReservationListener}. Immutable. Later versions may add methods. */
public interface ReservationEvent {

    /** Returns the domain of the manager. */
    String domain();

    /** Returns the identifier within the domain. */
    String identifier();

    /** Returns the fencing token of the hold; empty if it was refused, or if the backend has no tokens. */
    OptionalLong fencingToken();

    /** Returns how long the wait took for a hold that was refused; for others, the time since the hold was acquired. */
    Duration elapsed();
}
