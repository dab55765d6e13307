// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.OptionalLong;

/** A hold that was lost before it was released. Immutable. Later versions may add methods. */
public interface LostReservation {

    /** Returns the domain of the manager that lost the hold. */
    String domain();

    /** Returns the identifier within the domain. */
    String identifier();

    /** Returns the thread that acquired the reservation and may still rely on it. */
    Thread thread();

    /** Returns the fencing token of the lost hold, if the backend has tokens. Data that has seen a greater token rejects it. */
    OptionalLong fencingToken();

    /** Returns why the hold was lost. */
    LossReason reason();
}
