// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.OptionalLong;

/** A hold that ended before it was given back. Immutable; a later version may tell more of it. */
public interface LostReservation {

    /** Returns the domain of the manager that had the hold. */
    String domain();

    /** Returns the identifier within the domain. */
    String identifier();

    /** Returns the thread that acquired the reservation and may still rely on it. */
    Thread thread();

    /** Returns the token of the lost hold, if the backend has them: a store that has seen a greater one rejects it. */
    OptionalLong fencingToken();

    /** Returns why the hold was lost. */
    LossReason reason();
}
