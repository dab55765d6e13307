// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

/** What a {@link Reserved} method does if its lock is held by another caller when the wait ends. */
public enum OnBusy {

    /** The call throws {@link com.github.reservation.ReservationBusyException}. */
    THROW,

    /** The method does not run. The call returns null, or an empty {@link java.util.Optional} if the method returns one. */
    SKIP
}
