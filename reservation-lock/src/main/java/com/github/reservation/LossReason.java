// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/** Why a hold was lost before it was released. */
public enum LossReason {

    /** The lease ended and was not renewed. */
    EXPIRED,

    /** The lease was renewed automatically until the hold was as long as it may be, and then ended. */
    MAX_HOLD_REACHED,

    /** Another holder has the key now. */
    TAKEN_OVER,

    /** An administrator called {@link Reservation#forceUnlock()} or removed the lease from the store. */
    FORCED,

    /** The lease ended after a renewal that the store did not answer. */
    STORE_UNREACHABLE,

    /** The store dropped the holds of this node: it lost the connection to the node, or lost data. */
    DISCONNECTED
}
